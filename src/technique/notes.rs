//! What a reader has to know of the techniques that are on: where they were shown to work, and
//! what is taken for granted beyond that.

use crate::parallel::Timetable;
use crate::scenario::{Assumption, Workload};
use crate::workload::{Scope, Technique, Techniques};

/// The techniques that a source shows together (AxoNN, arXiv 2110.13005).
const SHOWN_TOGETHER: [Technique; 2] = [Technique::Offload, Technique::MessageDriven];

/// Validity and assumptions of every technique that is on, which of them a source shows together,
/// and what of the spec's own schedule gives way to them.
#[must_use]
pub fn notes(workload: &Workload) -> Vec<Assumption> {
    let techniques = &workload.techniques;
    let mut all = Vec::new();
    for technique in &techniques.on {
        let topic = format!("technique.{}", technique.key());
        let texts = of(*technique, techniques);
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
            words(replaced)
        ));
        if techniques.has(Technique::Sil) && techniques.has(Technique::MessageDriven) {
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
fn words(of: Timetable) -> String {
    match (of.schedule, of.interleave) {
        (schedule, Some(1)) => format!("`{}`", schedule.name()),
        (schedule, Some(chunks)) => format!("`{}` with {chunks} virtual stages", schedule.name()),
        (schedule, None) => format!("`{}` with virtual stages open", schedule.name()),
    }
}

fn of(technique: Technique, techniques: &Techniques) -> Vec<String> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match technique {
        Technique::Demo => demo(techniques),
        Technique::Offload => owned(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); synchronous, so training \
             is that of Adam",
            "the host link carries one direction at a time, and no other GPU's traffic; every \
             message of gradients starts anew, every bucket 21 copies and kernels",
        ]),
        Technique::Swap => swap(techniques),
        Technique::MessageDriven => owned(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); a stage runs whatever has \
             arrived, with as many micro-batches in flight as stages, and the bubble stays that of \
             1F1B",
        ]),
        Technique::Sil => sil(techniques),
        Technique::MultiLevel => owned(&[
            "shown up to 0.34B parameters (arXiv 2404.07999); that the run ends as good as \
             `training.tokens` of ordinary steps is taken for granted beyond",
            "the network and the memory are those of the whole model; coalescing takes no time",
        ]),
        Technique::FusedTensor => owned(&[
            "up to 96 % of tensor-parallel communication hides in the multiplications around it \
             (arXiv 2406.06858, on A100 and H800); the bytes stay",
        ]),
        Technique::NarrowPipeline => owned(&[
            "8-bit messages between stages, shown up to 1B parameters (arXiv 2301.11913); \
             conversion takes no time here",
        ]),
    }
}

fn sil(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "quality unverified: tested on networks of six fully connected layers only (arXiv \
         2403.11204), on no transformer"
            .to_owned(),
        "an upper bound: what pipeline messages and the bubble cost, if nothing else changed"
            .to_owned(),
    ];
    if techniques.sil.recovery > 0.0 {
        texts.push(
            "the step, its memory and its traffic are those of the whole network, which recovers in \
             the schedule of the spec; stages by themselves are a phase of the run"
                .to_owned(),
        );
        if techniques.has(Technique::MultiLevel) {
            texts.push("every level of the cycle is trained in both phases".to_owned());
        }
    }
    texts
}

fn swap(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "shown for models of the size of Megatron-LM and Turing-NLG under data parallelism alone, \
         on V100 (arXiv 2008.11421); nothing is rounded, so training is the same"
            .to_owned(),
        "what layers keep goes to the host beside the forward pass and comes back beside the \
         backward pass, one layer's is on its way at a time; only what outlasts a pass is seen, and \
         no other GPU's traffic is on the link"
            .to_owned(),
    ];
    if techniques.swap.parameters() {
        texts.push(
            "weights come for the forward and for the backward pass of every micro-batch and go \
             back once, updated; the update stays on the GPU (the paper's is on the host)"
                .to_owned(),
        );
    }
    texts
}

fn demo(techniques: &Techniques) -> Vec<String> {
    let settings = &techniques.demo;
    let mut texts = vec![
        "shown up to 1.2B parameters and 105B tokens on full replicas (arXiv 2411.19870); that \
         training is as good beyond is taken for granted"
            .to_owned(),
        format!(
            "{} of a chunk's components are sent, {} B each; two gathers for each matrix, one \
             after the other as in the authors' code, and nothing hides them",
            settings.top_k,
            settings.component_bytes()
        ),
    ];
    if settings.scope == Scope::Domains {
        texts.push(
            "across domains only (FlexDeMo, arXiv 2502.06728): gradients are summed in full inside \
             a domain"
                .to_owned(),
        );
    }
    texts
}
