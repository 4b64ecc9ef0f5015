//! The layout's own rules against model and batch, as far as a spec decides them: what does not
//! divide is refused with what would fit.

use super::context::Context;
use super::layout::{MOST_GPUS, product};
use crate::parallel::{Layout, LayoutProblem, LayoutRequest, Schedule};
use crate::scenario::Workload;
use crate::spec::document::TextPlace;
use crate::spec::problem::ProblemKind;
use crate::technique::Recipe;
use crate::workload::{Model, Technique};

/// Most alternatives that a message names.
const MOST_NAMED: usize = 8;

/// The layout's own rules, as far as they can be judged: a degree that is open counts as 1,
/// which breaks no rule.
pub(super) fn check_layout_rules(context: &mut Context<'_>, workload: &Workload) {
    let Workload { model, training, layout: request, .. } = workload;
    if product(request) > MOST_GPUS {
        return; // refused already, and beyond what a rank can count
    }
    let degrees = [request.tensor, request.context, request.data, request.expert];
    let complete = !degrees.contains(&None);
    let broken = expert_tensors(request, model)
        .into_iter()
        .map(|expert_tensor| {
            let layout = Layout { expert_tensor, ..request.simplest_layout(None) };
            let mut problems = layout.broken_rules(model, training);
            problems.extend(technique_problems(workload, &layout));
            problems.extend(two_schedules(context, workload));
            if complete && request.pipeline.is_some() {
                problems.extend(Recipe::from_workload(workload).phase_problem(&layout));
            }
            problems.retain(|problem| can_judge_rule(problem, request, complete));
            problems
        })
        .min_by_key(Vec::len)
        .unwrap_or_default();
    let mut blamed = Vec::new();
    for problem in &broken {
        // One wrong degree breaks several rules: the first is named, what fits keeps all.
        if let LayoutProblem::Indivisible { part, .. } = problem {
            if blamed.contains(part) {
                continue;
            }
            blamed.push(*part);
        }
        let (key, place) = blamed_key(context, problem);
        let fits = fitting_numbers(problem, &broken);
        context.add_problem(key, place, ProblemKind::Layout { problem: problem.clone(), fits });
    }
}

/// Techniques that do not apply, whatever the open degrees become.
fn technique_problems(workload: &Workload, layout: &Layout) -> Vec<LayoutProblem> {
    let open = workload.layout.pipeline.is_none();
    let stages = if open { 2 } else { layout.pipeline };
    Recipe::from_workload(workload)
        .rules_broken_by_layout(&Layout { pipeline: stages, ..layout.clone() })
}

/// A stated schedule beside a technique that is another one for every step of the run. Synthetic
/// labels leave the spec's own for the comparison and for recovery.
fn two_schedules(context: &Context<'_>, workload: &Workload) -> Option<LayoutProblem> {
    let technique = Technique::MessageDriven;
    let asked =
        workload.layout.replaced.filter(|_| workload.techniques.has_technique(technique))?;
    let stated = context.section_reader("parallelism");
    let says = if stated.is_stated("schedule") && asked.schedule != Schedule::MessageDriven {
        format!("`parallelism.schedule` is `{}`", asked.schedule.name())
    } else if asked.interleave.is_some_and(|chunks| chunks > 1) {
        "`parallelism.interleave` asks for virtual stages, which it has none of".to_owned()
    } else {
        return None;
    };
    let reason = format!(
        "it is a schedule of its own, and {says}: leave that out, or see both with `planner compare \
         --with message_driven`"
    );
    Some(LayoutProblem::Technique { technique, reason })
}

/// Degrees inside an expert that may hold where the spec states none.
fn expert_tensors(request: &LayoutRequest, model: &Model) -> Vec<u32> {
    let tensor = request.tensor.unwrap_or(1);
    match (request.expert_tensor, &model.moe) {
        (Some(degree), _) => vec![degree],
        (None, None) => vec![tensor],
        (None, Some(_)) => vec![1, tensor],
    }
}

/// A rule that open degrees leave nothing to decide about.
fn can_judge_rule(problem: &LayoutProblem, request: &LayoutRequest, complete: bool) -> bool {
    match problem {
        LayoutProblem::ExpertGroup { .. } => complete,
        LayoutProblem::Interleave { .. } => request.interleave.is_some(),
        LayoutProblem::Indivisible { whole: ("micro-batches" | "data", _), .. } => {
            request.data.is_some()
        }
        LayoutProblem::NothingSharded { .. } => request.zero.is_some(),
        _ => true,
    }
}

/// The key that a rule is about, and the nearest thing written down.
fn blamed_key(context: &Context<'_>, problem: &LayoutProblem) -> (String, Option<TextPlace>) {
    if let LayoutProblem::Technique { technique, .. } = problem {
        let all = context.section_reader("technique");
        let place = all.sub_table(technique.key()).and_then(|table| table.place());
        return (format!("technique.{}", technique.key()), place);
    }
    let candidates: &[&'static str] = match problem {
        LayoutProblem::Technique { .. } => &["parallelism.zero"],
        LayoutProblem::Zero { .. } | LayoutProblem::ExpertGroup { .. } => {
            &["parallelism.expert", "parallelism.tensor"]
        }
        LayoutProblem::NoExperts => &["parallelism.expert"],
        LayoutProblem::NothingSharded { .. } => &["parallelism.zero", "parallelism.shard"],
        LayoutProblem::Interleave { .. } => &["parallelism.interleave", "parallelism.schedule"],
        LayoutProblem::TooManyStages { .. } => &["parallelism.pipeline", "parallelism.interleave"],
        LayoutProblem::Indivisible { part, .. } => match part.0 {
            "tensor" => &["parallelism.tensor"],
            "shard" => &["parallelism.shard"],
            "context" => &["parallelism.context"],
            "expert" => &["parallelism.expert"],
            "expert_tensor" => &["parallelism.expert_tensor", "parallelism.tensor"],
            "pipeline" => &["parallelism.interleave", "parallelism.pipeline"],
            _ => &["parallelism.data", "training.global_batch", "cluster.gpus"],
        },
    };
    let keys = || candidates.iter().filter_map(|path| path.split_once('.'));
    let stated = keys().find(|(section, key)| context.section_reader(section).is_stated(key));
    let Some((section, key)) = stated.or_else(|| keys().next()) else { return Default::default() };
    let reader = context.section_reader(section);
    (reader.path_of(key), reader.place_of(key).or(reader.place()))
}

/// What would fit in place of the number that does not divide.
fn fitting_numbers(problem: &LayoutProblem, broken: &[LayoutProblem]) -> String {
    match problem {
        LayoutProblem::Indivisible { part, .. } => {
            let wholes: Vec<(&str, u64)> = broken
                .iter()
                .filter_map(|other| match other {
                    LayoutProblem::Indivisible { whole, part: same } if same == part => {
                        Some(*whole)
                    }
                    _ => None,
                })
                .collect();
            let common = wholes.iter().fold(0, |common, (_, whole)| gcd(*whole, common));
            let near = divisors_near(common, part.1);
            let near: Vec<String> = near.iter().map(u64::to_string).collect();
            let names: Vec<String> =
                wholes.iter().map(|(name, whole)| format!("{name} {whole}")).collect();
            let divisors = format!("{} can be divided by {}", names.join(" and "), near.join(", "));
            match multiples_near(part.0, part.1, &wholes) {
                Some(batches) => format!("{batches} would fit; {divisors}"),
                None => divisors,
            }
        }
        LayoutProblem::TooManyStages { .. } => "fewer stages, or less interleave".into(),
        LayoutProblem::NothingSharded { .. } => {
            "`zero = 3` shards parameters too (FSDP), 1 optimizer states alone".into()
        }
        LayoutProblem::NoExperts => "leave it out, or give the model a [model.moe] table".into(),
        LayoutProblem::Interleave { .. } => {
            "`interleaved` needs interleave above 1; gpipe and message-driven need 1".into()
        }
        LayoutProblem::ExpertGroup { .. } => {
            "experts lie on consecutive ranks, as in Megatron-Core: expert x expert_tensor has to \
             divide, or be divided by, tensor, tensor x context and tensor x context x data; with \
             `pp` before `dp` in `order` it has to equal tensor x context; with `shard` replicas in the \
             place of all, as every copy has all experts"
                .into()
        }
        LayoutProblem::Zero { .. } | LayoutProblem::Technique { .. } => String::new(),
    }
}

/// The batches next to the one that does not divide: a batch is easier to change than a cluster.
fn multiples_near(part: &str, count: u64, wholes: &[(&str, u64)]) -> Option<String> {
    let (_, batch) = wholes.iter().find(|(name, _)| *name == "global_batch")?;
    let (below, above) = (batch / count * count, batch.div_ceil(count) * count);
    match (part, below) {
        ("data x micro_batch", 0) => Some(format!("global_batch = {above}")),
        ("data x micro_batch", _) => Some(format!("global_batch = {below} or {above}")),
        _ => None,
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The divisors of `whole` nearest to `wanted`, smallest first.
fn divisors_near(whole: u64, wanted: u64) -> Vec<u64> {
    let mut divisors = Vec::new();
    let mut small = 1;
    while small * small <= whole {
        if whole.is_multiple_of(small) {
            divisors.push(small);
            if small != whole / small {
                divisors.push(whole / small);
            }
        }
        small += 1;
    }
    divisors.sort_by_key(|divisor| (divisor.abs_diff(wanted), *divisor));
    divisors.truncate(MOST_NAMED);
    divisors.sort_unstable();
    divisors
}

#[cfg(test)]
mod tests {
    use super::{divisors_near, multiples_near};

    #[test]
    fn the_batches_on_either_side_are_named() {
        let near =
            |count, batch| multiples_near("data x micro_batch", count, &[("global_batch", batch)]);
        assert_eq!(near(48, 1000).as_deref(), Some("global_batch = 960 or 1008"));
        assert_eq!(near(64, 10).as_deref(), Some("global_batch = 64"));
        assert_eq!(multiples_near("tensor", 7, &[("heads", 96)]), None);
    }

    #[test]
    fn the_nearest_divisors_are_named_in_order() {
        assert_eq!(divisors_near(12, 5), [1, 2, 3, 4, 6, 12]);
        assert_eq!(divisors_near(96, 7), [1, 2, 3, 4, 6, 8, 12, 16]);
        assert_eq!(divisors_near(1, 9), [1]);
    }
}
