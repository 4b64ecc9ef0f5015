//! What a reader has to know of the techniques that are on: where they were shown to work, and
//! what is taken for granted beyond that.

use super::technique_row;
use crate::parallel::Timetable;
use crate::scenario::{Assumption, Workload};
use crate::workload::Technique;

/// The techniques that a source shows together (AxoNN, arXiv 2110.13005).
const SHOWN_TOGETHER: [Technique; 2] = [Technique::Offload, Technique::MessageDriven];

/// Validity and assumptions of every technique that is on, which of them a source shows together,
/// and what of the spec's own schedule gives way to them.
#[must_use]
pub fn technique_assumptions(workload: &Workload) -> Vec<Assumption> {
    let techniques = &workload.techniques;
    let mut all = Vec::new();
    for technique in &techniques.on {
        let topic = format!("technique.{}", technique.key());
        let texts = (technique_row(*technique).notes)(techniques);
        all.extend(texts.into_iter().map(|text| Assumption {
            topic: topic.clone(),
            text,
            default: false,
        }));
    }
    let mut note =
        |text: String| all.push(Assumption { topic: "technique".into(), text, default: false });
    if techniques.on.len() > 1 {
        let names: Vec<&str> = techniques.on.iter().map(|technique| technique.key()).collect();
        let names = names.join(" and ");
        note(if techniques.on == SHOWN_TOGETHER {
            format!("{names} together: as arXiv 2110.13005 shows them")
        } else {
            format!("{names} together: composition untested")
        });
    }
    if let Some(replaced) = workload.layout.replaced {
        note(format!(
            "the pipeline runs as `{}` in place of the spec's {}",
            workload.layout.schedule.name(),
            timetable_words(replaced)
        ));
        if techniques.has_technique(Technique::Sil)
            && techniques.has_technique(Technique::MessageDriven)
        {
            note(
                "message_driven changes nothing beside sil: stages that train by themselves \
                 exchange no messages"
                    .to_owned(),
            );
        }
    }
    all
}

/// A schedule and its virtual stages.
fn timetable_words(timetable: Timetable) -> String {
    match (timetable.schedule, timetable.interleave) {
        (schedule, Some(1)) => format!("`{}`", schedule.name()),
        (schedule, Some(chunks)) => format!("`{}` with {chunks} virtual stages", schedule.name()),
        (schedule, None) => format!("`{}` with virtual stages open", schedule.name()),
    }
}
