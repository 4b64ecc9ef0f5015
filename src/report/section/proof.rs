//! Proof and programs, assumptions, and what would change a design: limits, others, prices.

use crate::design::{
    Alternative, AlternativeKind, ChoicesOutcome, ChoicesReport, LayoutsProven, Plan, PriceBand,
    PriceCrossing, Programs, SolverReport, SolverStatus,
};
use crate::report::document::Section;
use crate::report::list::{
    ALTERNATIVE_COLUMNS, ASSUMPTION_COLUMNS, BINDING_LIMIT_COLUMNS, PRICE_BAND_COLUMNS,
    STATED_LIMIT_COLUMNS, list_table,
};
use crate::report::number;
use crate::report::table::Table;
use crate::scenario::Assumption;

/// How the answer came about, in a sentence.
pub(in crate::report) fn proof_sentence(solver: &SolverReport) -> String {
    let candidates = number::count_with_noun(solver.candidates, "candidate", "candidates");
    let status = match solver.status {
        SolverStatus::Optimal => format!("no compared design is better, proven among {candidates}"),
        SolverStatus::GapLimit => format!(
            "within {} of the best possible, as asked, among {candidates}",
            number::percent(solver.gap)
        ),
        SolverStatus::GoodputBound => format!(
            "no compared design costs less at its speed (proven among {candidates}); networks left \
             out can be at most {} better",
            gap_sentence(solver)
        ),
        SolverStatus::NodeLimit => {
            let rival = solver.rival.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            format!(
                "not all was compared: the best of {candidates} within the limit of the search; up \
                 to {:.3} % better may exist{rival}",
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
        _ => format!(" (proof: {})", proof_text(&solver.name)),
    };
    format!(
        "{status}{proof}{}{}{}",
        excluded_products_sentence(solver),
        layout_proof_sentence(solver),
        not_searched(solver)
    )
}

/// What proves it, by the name of the solver.
fn proof_text(name: &str) -> &str {
    if name == "arithmetic bound" { "lower bound = cost" } else { name }
}

/// The products that a bound excludes before their layouts are looked for.
fn excluded_products_sentence(solver: &SolverReport) -> String {
    match solver.products_excluded {
        0 => String::new(),
        some => format!(
            "; {} more can't win: their machines and kernels alone take more",
            number::count_with_noun(some, "machine", "machines")
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
    let sized = number::count(sized);
    let others = if gap > 0.0 {
        format!("others could save up to {}", share_text(gap))
    } else {
        "all others were ruled out by a lower bound".to_owned()
    };
    format!("; {looked_at} compared, {sized} with a network of their own, {others}")
}

/// What the proof does not range over.
fn not_searched(solver: &SolverReport) -> String {
    let fixed: Vec<&str> = solver.fixed.iter().map(|key| key.key).collect();
    let fixed = if fixed.is_empty() {
        String::new()
    } else {
        format!(
            "; the layout is as stated: \"auto\" may find a better one for {}",
            fixed.join(", ")
        )
    };
    let what = if solver.status == SolverStatus::Interrupted { "gap" } else { "proof" };
    let first = if solver.chosen_first.is_empty() {
        String::new()
    } else {
        format!(
            "; chosen before any network was priced, for the shortest step on a full-bisection \
             Clos, so that the {what} holds for these values alone: {}",
            solver.chosen_first.join(", ")
        )
    };
    fixed + &first
}

/// The integer programs behind a design; none of a design that was chosen without.
pub(in crate::report) fn program_sentences(solver: &SolverReport) -> Vec<String> {
    let Programs { solver: name, work, choices, answer, columns, rows, nonzeros } =
        &solver.programs;
    let Some(answer) = answer else { return Vec::new() };
    let posed = number::count_with_noun(work.programs, "integer program", "integer programs");
    let sent = match work.to_solver {
        0 => "all solved by bounds, none sent to the solver".to_owned(),
        some => format!(
            "{} sent to {name}, which took {}",
            number::count(some),
            number::count_with_noun(work.nodes, "node", "nodes")
        ),
    };
    let size = format!(
        "{}: {}, {} and {}",
        if choices.is_some() { "the program over designs" } else { "the program of the design" },
        number::count_with_noun(*columns, "variable", "variables"),
        number::count_with_noun(*rows, "constraint", "constraints"),
        number::count_with_noun(*nonzeros, "coefficient", "coefficients")
    );
    let choices = choices.as_ref().map(|choices| choices_sentence(choices, name));
    std::iter::once(format!("{posed}: {sent}"))
        .chain(choices)
        .chain([
            format!("{size}; proof: {}", answer.proof_reason()),
            "`planner design --program FILE` writes it for other solvers, as LP or MPS".to_owned(),
        ])
        .collect()
}

/// What the program over all designs that were sized says.
fn choices_sentence(report: &ChoicesReport, solver: &str) -> String {
    let bounds = match report.excluded {
        0 => String::new(),
        some => {
            format!(", and {} by their bounds", number::count_with_noun(some, "other", "others"))
        }
    };
    let over = format!(
        "one program over the {} that limits and bounds left, of {}{bounds}",
        number::count_with_noun(report.choices, "design", "designs"),
        number::count_with_noun(report.products, "machine", "machines"),
    );
    match report.outcome {
        ChoicesOutcome::Agrees if report.choices + report.excluded == 1 => {
            format!("{over}: {solver} finds no cheaper network for it")
        }
        ChoicesOutcome::Agrees => format!("{over}: the optimum of {solver} takes as much"),
        ChoicesOutcome::TakesLess => format!(
            "{over}: {solver} found one that the search did not, which takes {}",
            report.optimum.map_or_else(String::new, number::money)
        ),
        ChoicesOutcome::Open => {
            format!("{over}: {solver} did not close its search, and found none that takes less")
        }
        ChoicesOutcome::NoPoint => format!("{over}: {solver} found no solution"),
    }
}

/// As many defaults are listed wherever they stand.
const FEW: usize = 4;

/// What was taken for granted and no spec states: topics and sentences.
pub(in crate::report) fn assumptions_section(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").add_table(assumptions_table(all, false))
}

/// Both in one table: what no spec states first, then what was taken for keys that are left open.
pub(in crate::report) fn assumptions_and_defaults(all: &[Assumption]) -> Section {
    let one = |default| all.iter().filter(move |assumption| assumption.default == default);
    let table = list_table(ASSUMPTION_COLUMNS, one(false).chain(one(true)));
    Section::new("ASSUMPTIONS", "").add_table(table)
}

/// What was taken for the keys that a spec leaves open.
pub(in crate::report) fn defaults_section(all: &[Assumption]) -> Section {
    let section = Section::new("DEFAULTS", "").add_table(assumptions_table(all, true));
    let count = all.iter().filter(|assumption| assumption.default).count();
    if count <= FEW {
        return section;
    }
    let open = number::count_with_noun(count as u64, "key", "keys");
    section.with_long_rank(format!("{open} not stated: `--all` lists what is assumed"))
}

/// Either kind, as a list of topics and sentences.
fn assumptions_table(all: &[Assumption], default: bool) -> Table {
    list_table(ASSUMPTION_COLUMNS, all.iter().filter(|assumption| assumption.default == default))
}

/// The limits in the way of a cheaper design, and what more would be worth.
pub(in crate::report) fn binding_limits_section(solver: &SolverReport) -> Section {
    // Designs under other limits are of the layouts of the answer and of the fastest ones.
    let lead = match (solver.binding.is_empty(), &solver.layouts) {
        (true, _) => "none stated",
        (false, Some(_)) => "in this layout; another one may save more",
        (false, None) => "",
    };
    Section::new("LIMITS", lead).add_table(list_table(BINDING_LIMIT_COLUMNS, &solver.binding))
}

/// Every limit that the spec states with what the design takes of it, then those of which more is
/// worth something.
pub(in crate::report) fn limits_section(plan: &Plan) -> Section {
    let table = list_table(STATED_LIMIT_COLUMNS, &plan.limits);
    let section = binding_limits_section(&plan.solver);
    let lead = match (plan.limits.is_empty(), plan.solver.binding.is_empty()) {
        (true, true) => "none stated".to_owned(),
        (false, true) => String::new(),
        (_, false) => section.lead.clone(),
    };
    let worth = section.parts;
    let mut section = Section::new("LIMITS", lead).add_table(table);
    section.parts.extend(worth);
    section
}

/// Other designs, and why they were not chosen.
pub(in crate::report) fn alternatives_section(plan: &Plan) -> Section {
    let others: Vec<Alternative> = told_once(&plan.alternatives).collect();
    let table = list_table(ALTERNATIVE_COLUMNS, &others);
    let section = Section::new("ALTERNATIVES", "").add_table(table);
    if plan.not_sized.is_empty() {
        return section;
    }
    let each = plan.not_sized.iter().map(|sized| {
        let more = number::percent_change(sized.at_least - 1.0);
        format!("{} {more}", sized.name.strip_prefix("node ").unwrap_or(&sized.name))
    });
    section.add_line(format!(
        "not sized, as machines, ports and the fastest step alone take at least so much more: {}",
        each.collect::<Vec<_>>().join(", ")
    ))
}

/// Designs that were not chosen, each with its name: one that several objectives in a row choose
/// once, under the names of all.
fn told_once(all: &[Alternative]) -> impl Iterator<Item = Alternative> {
    all.chunk_by(is_same_design).filter_map(|same| {
        let (first, more) = same.split_first()?;
        let (head, tail) = split_objectives(&first.name);
        let more = more.iter().map(|alternative| split_objectives(&alternative.name).0);
        let heads: Vec<&str> = std::iter::once(head).chain(more).map(objective_words).collect();
        Some(Alternative { name: format!("{}{tail}", heads.join(", ")), ..first.clone() })
    })
}

/// What a row that changes the objective is called.
fn objective_words(name: &str) -> &str {
    match name {
        r#"minimize = "capex""# => "cheapest to buy",
        r#"minimize = "tco""# => "cheapest over the years",
        r#"minimize = "usd-per-token""# => "cheapest per token",
        r#"minimize = "power""# => "least power",
        "max_slowdown = 1.0" => "no step longer",
        other => other,
    }
}

/// True for what two objectives choose where that is the same.
fn is_same_design(one: &Alternative, other: &Alternative) -> bool {
    let told = |alternative: &Alternative| {
        let money = (alternative.network_capex_change, alternative.capex_change);
        (
            alternative.differs == AlternativeKind::Objective,
            money,
            alternative.step_ratio,
            alternative.usd_per_token_ratio,
        )
    };
    let words = |alternative: &Alternative| {
        (split_objectives(&alternative.name).1.to_owned(), alternative.reason.clone())
    };
    one.differs == AlternativeKind::Objective
        && told(one) == told(other)
        && words(one) == words(other)
}

/// A name of objectives and what follows their last closing quote.
fn split_objectives(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('"').map_or(name.len(), |quote| quote + 1))
}

/// Between which prices the design stays the best.
pub(in crate::report) fn price_sensitivity_section(bands: &[PriceBand]) -> Section {
    let lead = if bands.is_empty() {
        ""
    } else {
        "the design stays the best while one price moves in this range"
    };
    let section = Section::new("HOW FAR PRICES MAY MOVE", lead)
        .add_table(list_table(PRICE_BAND_COLUMNS, bands));
    if bands.is_empty() { section } else { section.add_line(price_flips_sentence(bands)) }
}

/// Which prices that rest on little would change the design, and at which value.
fn price_flips_sentence(bands: &[PriceBand]) -> String {
    let doubtful = || bands.iter().filter_map(|band| Some((band, band.doubt?)));
    let mut turns = Vec::new();
    for (band, doubt) in doubtful() {
        let mut turn = |turn: Option<&PriceCrossing>, word: &str| {
            turns.extend(turn.map(|turn| {
                let (part, at) = (&band.part, number::money(turn.price));
                format!("{part} ({}) {word} {at}: {}", doubt.name(), turn.to)
            }));
        };
        turn(band.below.as_ref(), "below");
        turn(band.above.as_ref(), "above");
    }
    let count = doubtful().count() as u64;
    let doubted = number::count_with_noun(count, "price is", "prices are");
    match (count, turns.is_empty()) {
        (0, _) => "no price here is assumed, or old in the month of pricing.as_of".to_owned(),
        (_, true) => format!(
            "{doubted} assumed or old, and none changes the design between a quarter and four times of it"
        ),
        (_, false) => format!("{doubted} assumed or old, of which change it: {}", turns.join("; ")),
    }
}
