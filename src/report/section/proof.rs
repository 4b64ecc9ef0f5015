//! How far a design is proven, the gap, and what was assumed.

use crate::design::{ChoicesReport, LayoutsProven, Programs, SolverReport, SolverStatus};
use crate::report::document::Section;
use crate::report::list::{ASSUMPTION_COLUMNS, list_table};
use crate::report::number;
use crate::report::table::Table;
use crate::scenario::Assumption;

/// How far a settled answer is proven where layouts that were not sized leave more open than its
/// candidates do: by one figure of both. `None` where they don't.
pub(super) fn gap_with_unsized_layouts(solver: &SolverReport, among: &str) -> Option<String> {
    let wider = solver.layouts.as_ref().filter(|proven| proven.gap > solver.gap)?;
    let best = match solver.status {
        SolverStatus::GoodputBound => "the cheapest token",
        SolverStatus::Optimal | SolverStatus::GapLimit => "the best",
        SolverStatus::NodeLimit | SolverStatus::Interrupted => return None,
    };
    Some(format!(
        "within {} of {best} by bounds: layouts that were not sized leave that open; the best of {among}",
        share_text(wider.gap)
    ))
}

/// How the answer came about, in a sentence.
pub(in crate::report) fn proof_sentence(solver: &SolverReport) -> String {
    let candidates = number::count_with_noun(solver.candidates, "candidate", "candidates");
    let status = match solver.status {
        SolverStatus::Optimal => format!("proven optimal among {candidates}"),
        SolverStatus::GapLimit => format!(
            "within {} of the best possible, as asked, among {candidates}",
            number::percent(solver.gap)
        ),
        SolverStatus::GoodputBound => format!(
            "of {candidates} none costs less for its pace, proven; goodput of networks that were not looked \
             at is bounded, and with it none is more than {} better",
            gap_sentence(solver)
        ),
        SolverStatus::NodeLimit => {
            let rival = solver.rival.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            format!(
                "not proven optimal: the best found within the limit of the search among \
                 {candidates}; something up to {:.3} % better may exist{rival}",
                solver.gap * 100.0
            )
        }
        SolverStatus::Interrupted => {
            let rival = solver.rival.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            format!("{}{rival}: this is the best design until then", interrupted_sentence(solver))
        }
    };
    let proof = match solver.status {
        SolverStatus::Interrupted => String::new(),
        _ => format!(" (proof: {})", solver.name),
    };
    format!(
        "{status}{proof}{}{}{}",
        excluded_products_sentence(solver),
        layout_proof_sentence(solver),
        not_searched(solver)
    )
}

/// The products that a bound excludes before their layouts are looked for.
fn excluded_products_sentence(solver: &SolverReport) -> String {
    match solver.products_excluded {
        0 => String::new(),
        some => format!(
            "; {} more, whose layouts were not looked for, can't win: machines and kernels alone take more",
            number::count_with_noun(some, "product", "products")
        ),
    }
}

/// When the choice was ended, and what may still be better.
pub(super) fn interrupted_sentence(solver: &SolverReport) -> String {
    let text = number::count_with_noun(solver.candidates, "candidate", "candidates");
    let settled = solver.settled.unwrap_or(solver.candidates);
    let when = if settled >= solver.candidates {
        format!("interrupted after all {text} were settled, before others were compared")
    } else {
        format!("interrupted after {} of {text}", number::count(settled))
    };
    format!("{when}, up to {} better may exist", gap_sentence(solver))
}

/// The share by which something better may exist.
pub(super) fn gap_sentence(solver: &SolverReport) -> String {
    share_text(solver.gap)
}

/// A share to the third digit of a percentage.
fn share_text(value: f64) -> String {
    const LEAST: f64 = 0.001;
    let percent = value * 100.0;
    if percent < LEAST / 2.0 { format!("<{LEAST} %") } else { format!("{percent:.3} %") }
}

/// What the choice of the layout rests on, where layouts are open.
fn layout_proof_sentence(solver: &SolverReport) -> String {
    let Some(LayoutsProven { looked_at, sized, gap }) = solver.layouts else {
        return String::new();
    };
    let looked_at = number::count_with_noun(looked_at, "layout", "layouts");
    let sized = number::count_with_noun(sized, "network was", "networks were");
    let others = if gap > 0.0 {
        format!("others could save up to {}", share_text(gap))
    } else {
        "bounds exclude all others".to_owned()
    };
    format!("; {looked_at} looked at, {sized} sized for them, {others}")
}

/// What the proof does not range over.
fn not_searched(solver: &SolverReport) -> String {
    let fixed: Vec<&str> = solver.fixed.iter().map(|key| key.key).collect();
    let fixed = if fixed.is_empty() {
        String::new()
    } else {
        format!(
            "; of layouts with these keys as they are, as \"auto\" may find a better one: {}",
            fixed.join(", ")
        )
    };
    let what = if solver.status == SolverStatus::Interrupted { "gap" } else { "proof" };
    let first = if solver.chosen_first.is_empty() {
        String::new()
    } else {
        format!(
            "; these keys are of the layout with the shortest step on a full-bisection Clos, chosen \
             before any network was priced, so other values are outside the {what} too: {}",
            solver.chosen_first.join(", ")
        )
    };
    fixed + &first
}

/// The integer programs behind a design, in sentences; the section is long.
pub(in crate::report) fn programs_section(solver: &SolverReport) -> Section {
    let Programs { solver: name, work, choices, answer, columns, rows, nonzeros } =
        &solver.programs;
    let Some(answer) = answer else { return Section::new("INTEGER PROGRAM", "") };
    let posed = number::count_with_noun(work.programs, "program was posed", "programs were posed");
    let sent = match work.to_solver {
        0 => "none went to the solver".to_owned(),
        some => format!(
            "{} went to {name}, which took {}",
            number::count(some),
            number::count_with_noun(work.nodes, "node", "nodes")
        ),
    };
    let size = format!(
        "that of the answer has {}, {} and {}",
        number::count_with_noun(*columns, "column", "columns"),
        number::count_with_noun(*rows, "row", "rows"),
        number::count_with_noun(*nonzeros, "coefficient", "coefficients")
    );
    let mut section = Section::new("INTEGER PROGRAM", format!("{posed}, {sent}"));
    if let Some(choices) = choices {
        section = section.add_line(choices_sentence(choices, name));
    }
    section
        .add_line(size.clone())
        .add_line(format!("proof: {}", answer.proof_reason()))
        .add_line("`planner design --program FILE` writes it for other solvers, as LP or MPS")
        .with_long_rank(format!("{posed}, {sent}; {size}"))
}

/// What the program over all choices that bounds left says.
fn choices_sentence(report: &ChoicesReport, solver: &str) -> String {
    let bounds = match report.excluded {
        0 => String::new(),
        some => {
            format!(", and {} by their bounds", number::count_with_noun(some, "other", "others"))
        }
    };
    let over = format!(
        "one program over the {} that bounds left, of {}{bounds}",
        number::count_with_noun(report.choices, "design", "designs"),
        number::count_with_noun(report.products, "HB-domain product", "HB-domain products"),
    );
    match report.optimum {
        Some(_) if report.agrees => {
            format!("{over}: {solver} proves that none takes less than this one")
        }
        Some(optimum) => format!(
            "{over}: {solver} did not close its search; its best takes {}",
            number::money(optimum)
        ),
        None => format!("{over}: {solver} found no point"),
    }
}

/// As many defaults are listed wherever they stand.
const FEW: usize = 4;

/// What was taken for granted and no spec states: topics and sentences.
pub(in crate::report) fn assumptions_section(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").add_table(assumptions_table(all, false))
}

/// Both, where they are few: what the report rests on, whoever stated it.
pub(in crate::report) fn assumptions_and_defaults(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").add_table(list_table(ASSUMPTION_COLUMNS, all))
}

/// What was taken for the keys that a spec leaves open.
pub(in crate::report) fn defaults_section(all: &[Assumption]) -> Section {
    let section = Section::new("DEFAULTS", "").add_table(assumptions_table(all, true));
    let count = all.iter().filter(|assumption| assumption.default).count();
    if count <= FEW {
        return section;
    }
    let open = number::count_with_noun(count as u64, "key is", "keys are");
    section.with_long_rank(format!("{open} left open: `-v` lists what is taken for them"))
}

/// Either kind, as a list of topics and sentences.
fn assumptions_table(all: &[Assumption], default: bool) -> Table {
    list_table(ASSUMPTION_COLUMNS, all.iter().filter(|assumption| assumption.default == default))
}
