//! Figures: how far the answer is proven, and what stages come to.

use super::row::Better::Lower;
use super::row::{
    CAPITAL, FIRMNESS, FigureSource, NETWORK_CAPITAL, OWNERSHIP, Quantity, ROW, count_amount,
    money_amount, number_amount, share_amount, word_amount,
};
use crate::design::{Programs, SolverStatus};
use crate::units::{Amount, Unit};

/// A number of the programs behind a design that was chosen.
fn program_figure(source: &FigureSource<'_>, read: impl Fn(&Programs) -> u64) -> Option<Amount> {
    let all = &source.solver?.programs;
    all.answer.as_ref()?;
    count_amount(read(all))
}

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "solver.name",
        label: "proof",
        unit: Unit::Word,
        read: |source| word_amount(source.solver?.name.clone()),
        meaning: "what proved the answer",
        ..ROW
    },
    Quantity {
        key: "solver.status",
        label: "status",
        unit: Unit::Word,
        read: |source| word_amount(source.solver?.status.name()),
        meaning: "how far the answer is proven: optimal, gap-limit, goodput-bound, node-limit or \
                  interrupted",
        ..ROW
    },
    Quantity {
        key: "solver.gap",
        label: "gap",
        unit: Unit::Share,
        better: Lower,
        read: |source| share_amount(source.solver?.gap),
        meaning: "what a better design could save at most, of what is minimised",
        formula: "(value − bound) / value; 0 where the bound is met",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.rival",
        label: "rival",
        unit: Unit::Word,
        always: false,
        read: |source| word_amount(source.solver?.rival.clone()?),
        meaning: "the candidate that may still be better",
        ..ROW
    },
    Quantity {
        key: "solver.fixed",
        label: "not searched",
        unit: Unit::Word,
        always: false,
        read: |source| {
            let all: Vec<&str> =
                source.solver?.fixed.iter().map(|fixed_key| fixed_key.key).collect();
            if all.is_empty() { None } else { word_amount(all.join(", ")) }
        },
        meaning: "keys of the layout that are fixed while another value may give a better design: \
                  the proof is for these values alone; \"auto\" has them searched",
        ..ROW
    },
    Quantity {
        key: "solver.candidates",
        label: "candidates",
        unit: Unit::Count,
        read: |source| count_amount(source.solver?.candidates),
        meaning: "choices among which the design is the best, each with its best fabric",
        formula: "products that no bound excludes × interfaces × planes × protocols × rank orders, where a \
                  layout fits",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.products_excluded",
        label: "products excluded",
        unit: Unit::Count,
        always: false,
        read: |source| {
            Some(source.solver?.products_excluded).filter(|some| *some > 0).and_then(count_amount)
        },
        meaning: "products beside those of the candidates whose layouts were not looked for, as every design \
                  with them takes more",
        formula: "products whose machines, times the least step of kernels over the share of the time that \
                  trains at most, take more than the design",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.settled",
        label: "settled",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.solver?.settled?),
        meaning: "candidates that were sized, or ruled out, before a signal ended the choice",
        formula: "candidates, less those that were neither sized nor ruled out by then",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.back_end",
        label: "solver",
        unit: Unit::Word,
        always: false,
        read: |source| {
            let programs = &source.solver?.programs;
            programs.answer.as_ref().and_then(|_| word_amount(programs.solver))
        },
        meaning: "the solver of integer programs, for those that arithmetic and enumeration leave open",
        ..ROW
    },
    Quantity {
        key: "solver.programs",
        label: "integer programs",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.work.programs),
        meaning: "integer programs that were posed to choose the design: one for each candidate, and \
                  one more for each pace or price of parts at which it was asked again",
        formula: "Σ over candidates of the paces and prices at which each was asked",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.to_solver",
        label: "sent to the solver",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.work.to_solver),
        meaning: "those of them that neither an arithmetic bound nor enumeration settled",
        formula: "programs, less those that a bound or enumeration settled",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.nodes",
        label: "nodes",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.work.nodes),
        meaning: "nodes of the solver's search trees, over all programs; HiGHS does not tell",
        formula: "Σ over programs of the nodes of their search trees",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.choices",
        label: "choices in the program",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.solver?.programs.choices?.choices),
        meaning: "designs that bounds left, each with its machines, layout and pace, of which the \
                  integer program makes one; none of several clusters",
        formula: "designs that were sized, best ones first, the best of each product among them",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.choices_optimum",
        label: "optimum over choices",
        unit: Unit::Number,
        always: false,
        read: |source| number_amount(source.solver?.programs.choices?.optimum?.get()),
        meaning: "what the solver's choice among them takes, its machines included: dollars, or watts \
                  where power is minimised",
        formula: "Σ over choices of made · (machines + network), at the pace of the answer",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.columns",
        label: "columns",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.columns),
        meaning: "variables of the integer program of the answer, which `--program` writes",
        formula: "one variable a build, part bought and part owned (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.rows",
        label: "rows",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.rows),
        meaning: "its constraints",
        formula: "one row a constraint (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.nonzeros",
        label: "coefficients",
        unit: Unit::Count,
        always: false,
        read: |source| program_figure(source, |all| all.nonzeros),
        meaning: "coefficients of its constraints that are not 0",
        formula: "Σ over rows of the variables in them",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.program_optimum",
        label: "its optimum",
        unit: Unit::Number,
        always: false,
        read: |source| {
            let solver =
                source.solver.filter(|report| report.status != SolverStatus::Interrupted)?;
            number_amount(solver.programs.answer.as_ref()?.cost.get())
        },
        meaning: "what the integer program of the answer minimises, at the answer: of one cluster \
                  with its machines, of several the networks alone: dollars, or watts where power is \
                  minimised; any other solver finds the same",
        formula: "Σ price · bought + energy · power (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.program_proof",
        label: "why it is proven",
        unit: Unit::Word,
        always: false,
        read: |source| word_amount(source.solver?.programs.answer.as_ref()?.proof_reason()),
        meaning: "what proves the answer of that program, and why no solver was needed where none was",
        ..ROW
    },
    Quantity {
        key: "solver.layouts_looked_at",
        label: "layouts",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.solver?.layouts?.looked_at),
        meaning: "layouts that break no rule and were looked at, where some are open",
        formula: "Σ over products and degrees of the layouts that break no rule",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.layouts_sized",
        label: "sized for layouts",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.solver?.layouts?.sized),
        meaning: "layouts of which networks were sized, each number of planes and each protocol by \
                  itself",
        formula: "layouts looked at, less those that a bound leaves out",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.layouts_gap",
        label: "other layouts",
        unit: Unit::Share,
        better: Lower,
        always: false,
        read: |source| share_amount(source.solver?.layouts?.gap),
        meaning: "what a layout that was not sized could save at most, of what is minimised; 0 where \
                  bounds exclude all of them",
        formula: "1 − bound / value",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "growth.present_value_usd",
        label: "in today's money",
        unit: Unit::Money,
        better: Lower,
        always: false,
        read: |source| money_amount(source.growth?.present_value),
        meaning: "what the objective makes of all stages, in today's money",
        formula: "Σ over stages: what the stage costs · price of its day, less what \
                   objective.discount takes",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "growth.one_by_one_usd",
        label: "stage by stage",
        unit: Unit::Money,
        always: false,
        read: |source| money_amount(source.growth?.one_by_one?),
        meaning: "the present value where each stage is designed as if it were the last",
        formula: "the same sum over designs that know no later stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "growth.at_once_usd",
        label: "at once",
        unit: Unit::Money,
        always: false,
        read: |source| money_amount(source.growth?.at_once?),
        meaning: "the present value where the last stage is bought at once, at today's prices",
        formula: "capital of the last stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "price_not_found",
        label: "parts without a price",
        unit: Unit::Count,
        better: Lower,
        read: |source| count_amount(source.cost?.unpriced.len() as u64),
        meaning: "parts of the bill without a price, which no total has in it",
        formula: "counted on the bill; `planner check` and `planner sweep` know it, JSON lists \
                   their names as cost.unpriced",
        equations: &[NETWORK_CAPITAL],
        ..ROW
    },
];
