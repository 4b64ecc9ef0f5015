//! Trying every combination of builds, of which all but a few are ruled out: stands in where the
//! solver gives up. Deterministic: it stops after a number of comparisons, not after a time.
//!
//! Partial answers that cover as many rails are compared by what they use. Where one uses no
//! more of any switch model or link than another, whatever completes the other
//! completes it too, at no more cost and within the same limits, as every sum only grows with
//! what is used. So the other can be dropped: the labels of a resource-constrained shortest path.

use super::check::{TalliedCopies, price_answer};
use super::lower_bound::{EQUAL_COST, FixedPrices, cheapest_cover};
use super::problem::{Column, SizingProblem};
use super::shadow_prices::ShadowPrices;

/// What came of trying.
pub(super) struct Enumerated {
    /// The best feasible answer met, with its tally.
    pub(super) best: Option<TalliedCopies>,
    /// Every combination was tried or ruled out.
    pub(super) finished: bool,
    pub(super) comparisons: u64,
}

/// A partial answer.
#[derive(Clone, Debug)]
struct Label {
    /// Switches by model, then links.
    uses: Vec<u64>,
    bisection: f64,
    /// Place of its last step; `None` where nothing was built yet.
    last: Option<usize>,
}

/// One more copy of a column.
struct LabelStep {
    before: Option<usize>,
    class: usize,
    column: usize,
}

/// The best answer among all, or among those reached within so many comparisons.
pub(super) fn enumerate_covers(
    problem: &SizingProblem,
    start: Option<TalliedCopies>,
    duals: Option<&ShadowPrices>,
    comparisons: u64,
) -> Enumerated {
    let mut search = LabelSearch {
        problem,
        duals,
        known_cost: start.as_ref().map(TalliedCopies::cost),
        steps: Vec::new(),
        steps_left: comparisons,
    };
    let uses = vec![0; problem.offers.len() + 1];
    let mut labels = vec![Label { uses, bisection: 0.0, last: None }];
    for class in 0..problem.classes.len() {
        match search.labels_covering_class(class, labels) {
            Some(covered) => labels = covered,
            None => return Enumerated { best: start, finished: false, comparisons },
        }
    }
    let mut best = start;
    for label in &labels {
        TalliedCopies::new(problem, search.copies_of_label(label)).replace_if_better(&mut best);
    }
    Enumerated { best, finished: true, comparisons: comparisons - search.steps_left }
}

struct LabelSearch<'a> {
    problem: &'a SizingProblem,
    /// Shadow prices that rule out more than the arithmetic does.
    duals: Option<&'a ShadowPrices>,
    /// Cost of a known answer in dollars: what is dearer is not looked at.
    known_cost: Option<f64>,
    steps: Vec<LabelStep>,
    steps_left: u64,
}

impl LabelSearch<'_> {
    /// Every label that covers all rails of a class, from those that cover all classes before
    /// it; `None` where the comparisons ran out.
    fn labels_covering_class(&mut self, class: usize, from: Vec<Label>) -> Option<Vec<Label>> {
        let problem = self.problem;
        let rails = problem.classes[class].rails as usize;
        let rest: Vec<Option<f64>> =
            cheapest_cover(problem, &problem.classes[class], FixedPrices::StockFree)
                .into_iter()
                .map(|entry| entry.map(|(worth, _)| worth.cost))
                .collect();
        let later: Option<f64> = problem.classes[class + 1..]
            .iter()
            .map(|class| {
                let best = cheapest_cover(problem, class, FixedPrices::StockFree);
                best.last().copied().flatten().map(|(worth, _)| worth.cost)
            })
            .sum();
        let Some(later) = later else { return Some(Vec::new()) };
        let shadow = self.duals.map(|duals| {
            let whole =
                |class| duals.cover_values(problem, class).last().copied().flatten().unwrap_or(0.0);
            let later: f64 = problem.classes[class + 1..].iter().map(whole).sum();
            let rests = duals.cover_values(problem, &problem.classes[class]);
            rests.into_iter().map(|rest| rest.map(|rest| rest + later)).collect::<Vec<_>>()
        });
        let mut by_rails: Vec<Vec<Label>> = vec![Vec::new(); rails + 1];
        by_rails[0] = from;
        if rails == 0 {
            return by_rails.pop();
        }
        // Column after column, so that each multiset is met once; a column follows itself, as
        // covers with it are extended before those above them are.
        for (index, column) in problem.classes[class].columns.iter().enumerate() {
            if column.rails == 0 {
                continue;
            }
            for covered in 0..rails {
                let to = rails.min(covered + column.rails as usize);
                let Some(rest) = rest[rails - to] else { continue };
                let mut place = 0;
                while place < by_rails[covered].len() {
                    let longer = self.extend(&by_rails[covered][place], column);
                    place += 1;
                    let shadow = shadow.as_ref().and_then(|rests| rests[rails - to]);
                    if !self.can_beat_known(&longer, rest + later, shadow) {
                        continue;
                    }
                    self.insert_undominated(&mut by_rails[to], longer, class, index)?;
                }
            }
        }
        by_rails.pop()
    }

    fn extend(&self, label: &Label, column: &Column) -> Label {
        let mut uses = label.uses.clone();
        for (used, switches) in uses.iter_mut().zip(&column.pieces) {
            *used += switches;
        }
        let models = self.problem.offers.len();
        uses[models] += column.links;
        Label { uses, bisection: label.bisection + column.bisection, last: label.last }
    }

    /// True where what starts like this may be feasible and no dearer than what is known. Further
    /// builds cost at least what they would were stocked parts free, and with all that is in use at
    /// least what shadow prices say.
    fn can_beat_known(&self, label: &Label, rest: f64, shadow: Option<f64>) -> bool {
        let models = self.problem.offers.len();
        let links = label.uses[models];
        let least = self.duals.zip(shadow).map_or(0.0, |(duals, rest)| {
            duals.lagrangian_value(self.problem, &label.uses[..models], links, rest)
        });
        if self.known_cost.is_some_and(|known| least > known * (1.0 + EQUAL_COST) + EQUAL_COST) {
            return false;
        }
        let priced = price_answer(self.problem, &label.uses[..models], label.uses[models]);
        let cheap = self.known_cost.is_none_or(|known| {
            priced.cost.get() + rest <= known * (1.0 + EQUAL_COST) + EQUAL_COST
        });
        priced.allowed && cheap
    }

    /// Adds a label unless one of the set needs no more; drops those that need no less. `None`
    /// where the comparisons ran out.
    fn insert_undominated(
        &mut self,
        set: &mut Vec<Label>,
        mut label: Label,
        class: usize,
        column: usize,
    ) -> Option<()> {
        self.steps_left = self.steps_left.checked_sub(1 + set.len() as u64)?;
        if set.iter().any(|other| needs_no_more(other, &label)) {
            return Some(());
        }
        set.retain(|other| !needs_no_more(&label, other));
        self.steps.push(LabelStep { before: label.last, class, column });
        label.last = Some(self.steps.len() - 1);
        set.push(label);
        Some(())
    }

    fn copies_of_label(&self, label: &Label) -> Vec<Vec<u64>> {
        let mut copies: Vec<Vec<u64>> =
            self.problem.classes.iter().map(|class| vec![0; class.columns.len()]).collect();
        let mut last = label.last;
        while let Some(step) = last.map(|place| &self.steps[place]) {
            copies[step.class][step.column] += 1;
            last = step.before;
        }
        copies
    }
}

/// Uses no more of anything, and among equals has no less bisection.
fn needs_no_more(one: &Label, other: &Label) -> bool {
    let mut less = false;
    for (a, b) in one.uses.iter().zip(&other.uses) {
        if a > b {
            return false;
        }
        less |= a < b;
    }
    less || one.bisection >= other.bisection
}
