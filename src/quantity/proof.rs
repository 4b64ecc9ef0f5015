//! Figures: how far the answer is proven, and what stages come to.

use super::row::Better::{Lower, Neither};
use super::row::{
    CAPITAL, COUNT, FIRMNESS, FigureSource, MONEY, NETWORK_CAPITAL, NUMBER, OWNERSHIP, Quantity,
    SHARE, WORD, count_amount, money_amount, number_amount, optional_row, share_amount,
    word_amount,
};
use crate::design::{Programs, SolverStatus};
use crate::units::Amount;

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
        read: |source| word_amount(source.solver?.name.clone()),
        meaning: "what proved the answer",
        ..WORD
    },
    Quantity {
        key: "solver.status",
        label: "status",
        read: |source| word_amount(source.solver?.status.name()),
        meaning: "how far the answer is proven: optimal, gap-limit, goodput-bound, node-limit or \
                  interrupted",
        ..WORD
    },
    Quantity {
        key: "solver.gap",
        label: "gap",
        better: Lower,
        read: |source| share_amount(source.solver?.gap),
        meaning: "what a better design could save at most, of what is minimised",
        formula: "(value − bound) / value; 0 where the bound is met",
        equations: &[FIRMNESS],
        ..SHARE
    },
    Quantity {
        key: "solver.rival",
        label: "rival",
        read: |source| word_amount(source.solver?.rival.clone()?),
        meaning: "the candidate that may still be better",
        ..optional_row(WORD)
    },
    Quantity {
        key: "solver.fixed",
        label: "not searched",
        read: |source| {
            let all: Vec<&str> =
                source.solver?.fixed.iter().map(|fixed_key| fixed_key.key).collect();
            if all.is_empty() { None } else { word_amount(all.join(", ")) }
        },
        meaning: "keys of the layout that are fixed while another value may give a better design: \
                  the proof is for these values alone; \"auto\" has them searched",
        ..optional_row(WORD)
    },
    Quantity {
        key: "solver.candidates",
        label: "candidates",
        read: |source| count_amount(source.solver?.candidates),
        meaning: "choices among which the design is the best, each with its best fabric",
        formula: "machines that no bound excludes × NICs × planes × protocols × rank orders, where \
                  a layout fits",
        equations: &[FIRMNESS],
        ..COUNT
    },
    Quantity {
        key: "solver.products_excluded",
        label: "products excluded",
        read: |source| {
            Some(source.solver?.products_excluded).filter(|some| *some > 0).and_then(count_amount)
        },
        meaning: "machines beside those of the candidates whose layouts were not looked for, as \
                  every design with them takes more",
        formula: "kinds whose machines, times the least step of kernels over the share of the time \
                  that trains at most, take more than the design",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.settled",
        label: "settled",
        read: |source| count_amount(source.solver?.settled?),
        meaning: "candidates that were sized, or ruled out, before a signal ended the choice",
        formula: "candidates, less those that were neither sized nor ruled out by then",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.back_end",
        label: "solver",
        read: |source| {
            let programs = &source.solver?.programs;
            programs.answer.as_ref().and_then(|_| word_amount(programs.solver))
        },
        meaning: "the solver of integer programs, for those that arithmetic and enumeration leave open",
        ..optional_row(WORD)
    },
    Quantity {
        key: "solver.programs",
        label: "integer programs",
        read: |source| program_figure(source, |all| all.work.programs),
        meaning: "integer programs posed to choose the design: one for each candidate, and one \
                  more for each speed or price of parts at which it was asked again",
        formula: "Σ over candidates of the speeds and prices at which each was asked",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.to_solver",
        label: "sent to the solver",
        read: |source| program_figure(source, |all| all.work.to_solver),
        meaning: "those of them that neither an arithmetic bound nor enumeration settled",
        formula: "programs, less those that a bound or enumeration settled",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.nodes",
        label: "nodes",
        read: |source| program_figure(source, |all| all.work.nodes),
        meaning: "nodes of the solver's search trees, over all programs; HiGHS does not tell",
        formula: "Σ over programs of the nodes of their search trees",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.choices",
        label: "choices in the program",
        read: |source| count_amount(source.solver?.programs.choices?.choices),
        meaning: "designs that limits and bounds left, each with its machines, layout and speed, \
                  of which the integer program makes one; none of several clusters",
        formula: "designs that were sized, best ones first, the best of each kind of machine among \
                  them",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.choices_outcome",
        label: "solver beside the search",
        read: |source| word_amount(source.solver?.programs.choices?.outcome.name()),
        meaning: "agrees: the solver's optimum takes as much as the design; takes-less: it found a \
                  cheaper choice; open: its search was not closed; no-point: it found none",
        ..optional_row(WORD)
    },
    Quantity {
        key: "solver.choices_optimum",
        label: "optimum over choices",
        better: Neither,
        read: |source| number_amount(source.solver?.programs.choices?.optimum?.get()),
        meaning: "what the solver's choice among them takes, its machines included: dollars, or watts \
                  where power is minimised",
        formula: "Σ over choices of made · (machines + network); for cost per token each times its \
                  step over that of the answer",
        equations: &[FIRMNESS],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "solver.columns",
        label: "columns",
        read: |source| program_figure(source, |all| all.columns),
        meaning: "variables of the integer program of the design, which `--program` writes",
        formula: "one variable a build, part bought and part owned (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.rows",
        label: "rows",
        read: |source| program_figure(source, |all| all.rows),
        meaning: "its constraints",
        formula: "one row a constraint (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.nonzeros",
        label: "coefficients",
        read: |source| program_figure(source, |all| all.nonzeros),
        meaning: "coefficients of its constraints that are not 0",
        formula: "Σ over rows of the variables in them",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.program_optimum",
        label: "its optimum",
        better: Neither,
        read: |source| {
            let solver =
                source.solver.filter(|report| report.status != SolverStatus::Interrupted)?;
            number_amount(solver.programs.answer.as_ref()?.cost.get())
        },
        meaning: "what the integer program of the design minimises, at the design: of one cluster \
                  with its machines, of several the networks alone: dollars, or watts where power \
                  is minimised; any other solver finds the same",
        formula: "Σ price · bought + energy · power (docs/formulation.md)",
        equations: &[FIRMNESS],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "solver.program_proof",
        label: "why it is proven",
        read: |source| word_amount(source.solver?.programs.answer.as_ref()?.proof_reason()),
        meaning: "what proves the answer of that program, and why no solver was needed where none was",
        ..optional_row(WORD)
    },
    Quantity {
        key: "solver.layouts_looked_at",
        label: "layouts",
        read: |source| count_amount(source.solver?.layouts?.looked_at),
        meaning: "layouts that break no rule and were compared, where some are open",
        formula: "Σ over machines and degrees of the layouts that break no rule",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.layouts_sized",
        label: "sized for layouts",
        read: |source| count_amount(source.solver?.layouts?.sized),
        meaning: "layouts of which networks were sized, each number of planes and each protocol by \
                  itself",
        formula: "layouts compared, less those that a bound leaves out",
        equations: &[FIRMNESS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "solver.layouts_gap",
        label: "other layouts",
        better: Lower,
        read: |source| share_amount(source.solver?.layouts?.gap),
        meaning: "what a layout that was not sized could save at most, of what is minimised; 0 \
                  where lower bounds rule out all of them",
        formula: "1 − bound / value",
        equations: &[FIRMNESS],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "growth.present_value_usd",
        label: "in today's value",
        read: |source| money_amount(source.growth?.present_value),
        meaning: "what the objective makes of all stages, in today's value",
        formula: "Σ over stages: what the stage costs · price of its day, less what \
                   objective.discount takes",
        equations: &[CAPITAL, OWNERSHIP],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "growth.one_by_one_usd",
        label: "stage by stage",
        better: Neither,
        read: |source| money_amount(source.growth?.one_by_one?),
        meaning: "the present value where each stage is designed as if it were the last",
        formula: "the same sum over designs that know no later stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "growth.at_once_usd",
        label: "at once",
        better: Neither,
        read: |source| money_amount(source.growth?.at_once?),
        meaning: "the present value where the last stage is bought at once, at today's prices",
        formula: "capital of the last stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "price_not_found",
        label: "parts without a price",
        better: Lower,
        read: |source| count_amount(source.cost?.unpriced.len() as u64),
        meaning: "parts of the bill without a price, which no total has in it",
        formula: "counted on the bill; `planner check` and `planner sweep` know it, JSON lists \
                   their names as cost.unpriced",
        equations: &[NETWORK_CAPITAL],
        ..COUNT
    },
];
