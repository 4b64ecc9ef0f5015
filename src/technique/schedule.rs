//! Which techniques are on, and the schedule that they put in the place of the spec's own.

use crate::parallel::{LayoutRequest, Schedule};
use crate::scenario::Workload;
use crate::workload::{SilTurns, Technique, Techniques};

/// The workload with exactly these techniques on. Two of them are schedules, which are the
/// layout's: with message-driven stages nothing is interleaved, and parts that are trained on
/// their own to the end keep no pipeline. Without them the layout has the spec's own schedule.
#[must_use]
pub fn schedule_techniques(workload: &Workload, on: &[Technique]) -> Workload {
    let mut workload = workload.clone();
    workload.techniques = workload.techniques.enable_only(on);
    let asked = workload.layout.stated_timetable();
    let taken = technique_schedule(&workload.techniques);
    let (schedule, interleave) =
        taken.map_or((asked.schedule, asked.interleave), |schedule| (schedule, Some(1)));
    let replaced = taken.map(|_| asked);
    workload.layout = LayoutRequest { schedule, interleave, replaced, ..workload.layout };
    workload
}

/// The schedule that the techniques put in the place of the spec's own. Where the whole network
/// recovers after synthetic labels, it is trained in the spec's own: the network and the memory
/// have to bear that.
#[must_use]
pub fn technique_schedule(techniques: &Techniques) -> Option<Schedule> {
    if techniques.has_technique(Technique::Sil) && techniques.sil.recovery <= 0.0 {
        return Some(independent_stage_schedule(techniques));
    }
    techniques.has_technique(Technique::MessageDriven).then_some(Schedule::MessageDriven)
}

/// The schedule of stages that train by themselves.
const fn independent_stage_schedule(techniques: &Techniques) -> Schedule {
    match techniques.sil.turns {
        SilTurns::Parallel => Schedule::Independent,
        SilTurns::Sequential => Schedule::InTurn,
    }
}

/// The techniques without one of them.
pub(super) fn switched_off(techniques: &Techniques, off: Technique) -> Techniques {
    let on: Vec<Technique> = techniques.on.iter().copied().filter(|on| *on != off).collect();
    techniques.enable_only(&on)
}
