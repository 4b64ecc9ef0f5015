//! The fit: one constant after the other, each where the rows that it moves fit best. Knows
//! nothing of where rows come from.

use std::collections::BTreeMap;

use super::constant::FittedConstant;
use super::rows::FitRow;
use crate::validate::coverage::line_slope;

/// Errors well below this count by their square, errors well above by their size: a row that the
/// model does not describe pulls no harder than two that it nearly does.
const ROUND: f64 = 0.02;
/// What a constant pays for standing at an end of its range, away from its prior: as much as a row
/// that is off by half. Of 0.1 and 0.5 the weight with the smaller mean error of steps not seen.
const PRIOR: f64 = 0.5;
/// A row counts as moved by a constant where its time changes by more than this over the
/// constant's range.
const MOVED: f64 = 0.01;
/// Widths of the search around a value, as shares of the range, one after the other.
const WIDTHS: [f64; 6] = [0.3, 0.12, 0.05, 0.02, 0.008, 0.003];
/// How often a pass is repeated at most, beyond itself.
const FARTHEST: f64 = 12.0;
/// Golden section: evaluations at each width.
const CUTS: u32 = 6;
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Rows and constants in the midst of a fit.
pub(super) struct CoordinateFit<'a> {
    constants: &'a [FittedConstant],
    rows: Vec<FitRow>,
    /// Rows by place that each constant moves.
    pub(super) moved: &'a [Vec<usize>],
    active: Vec<bool>,
    /// Value of each constant.
    pub(super) values: Vec<f64>,
    errors: Vec<f64>,
}

/// Rows that each constant moves; of rows that are fitted for one constant only, those of that one.
pub(super) fn rows_moved_by_constant(
    constants: &[FittedConstant],
    rows: &[FitRow],
    values: &[f64],
) -> Vec<Vec<usize>> {
    let moves = |constant: &FittedConstant, value: f64, row: &FitRow| {
        if !row.role.only.is_empty() && row.role.only != constant.key {
            return false;
        }
        let mut row = row.clone();
        let errors = [constant.least, value, constant.most].map(|value| {
            constant.set_value(&mut row.timed.gpu, &mut row.timed.stack, value);
            row.log_error()
        });
        let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = errors.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most - least > MOVED
    };
    constants
        .iter()
        .zip(values)
        .map(|(constant, value)| {
            (0..rows.len()).filter(|place| moves(constant, *value, &rows[*place])).collect()
        })
        .collect()
}

impl<'a> CoordinateFit<'a> {
    /// A fit on the rows that `takes_part` names, from the given values. A constant that fewer
    /// than two such rows move stands at its prior.
    pub(super) fn new(
        constants: &'a [FittedConstant],
        rows: &[FitRow],
        moved: &'a [Vec<usize>],
        values: &[f64],
        takes_part: impl Fn(&FitRow) -> bool,
    ) -> Self {
        let active: Vec<bool> = rows.iter().map(&takes_part).collect();
        let mut fit = Self {
            constants,
            rows: rows.to_vec(),
            moved,
            active,
            values: values.to_vec(),
            errors: Vec::new(),
        };
        for (place, constant) in constants.iter().enumerate() {
            let alone = fit.count_moved_rows(place) < 2;
            let value = if alone { constant.prior } else { fit.values[place] };
            fit.set_constant(place, value);
        }
        fit.errors = fit.rows.iter().map(FitRow::log_error).collect();
        fit
    }

    /// Rows that take part and that a constant moves.
    pub(super) fn count_moved_rows(&self, constant: usize) -> usize {
        self.moved[constant].iter().filter(|row| self.active[**row]).count()
    }

    fn set_constant(&mut self, place: usize, value: f64) {
        self.values[place] = value;
        for row in &mut self.rows {
            self.constants[place].set_value(&mut row.timed.gpu, &mut row.timed.stack, value);
        }
    }

    /// Error of every row by the values as they are, those that take no part among them.
    pub(super) fn row_errors(&self) -> Vec<f64> {
        self.rows.iter().map(FitRow::log_error).collect()
    }

    /// Moves all constants, by all widths one after the other, so many times.
    pub(super) fn run_descent(&mut self, rounds: usize) {
        for width in WIDTHS.repeat(rounds) {
            let before = self.values.clone();
            for constant in 0..self.constants.len() {
                if self.constants[constant].by_slopes {
                    self.fit_by_slopes(constant);
                } else if self.count_moved_rows(constant) >= 2 {
                    self.fit_by_search(constant, width);
                }
            }
            self.repeat_pass(&before);
        }
    }

    /// Goes on where a pass went that began at `before`, as far as it gains: constants that depend
    /// on each other creep along a valley otherwise.
    fn repeat_pass(&mut self, before: &[f64]) {
        let after = self.values.clone();
        let constants = self.constants;
        let point = |share: f64| -> Vec<f64> {
            let ends = before.iter().zip(&after).zip(constants);
            ends.map(|((before, after), constant)| {
                let further = if constant.by_slopes { 0.0 } else { share * (after - before) };
                (after + further).clamp(constant.least, constant.most)
            })
            .collect()
        };
        let best = golden_section([0.0, FARTHEST], 0.0, |share| self.set_values(&point(share)));
        self.set_values(&point(best));
    }

    /// Sets all constants and gives the loss.
    fn set_values(&mut self, values: &[f64]) -> f64 {
        for (place, value) in values.iter().enumerate() {
            self.set_constant(place, *value);
        }
        self.errors = self.row_errors();
        self.total_loss()
    }

    fn total_loss(&self) -> f64 {
        let rows: f64 = (0..self.rows.len())
            .filter(|row| self.active[*row])
            .map(|row| self.rows[row].weight * huber_penalty(self.errors[row]))
            .sum();
        let priors: f64 = self
            .constants
            .iter()
            .zip(&self.values)
            .map(|(constant, value)| prior_penalty(constant, *value))
            .sum();
        rows + priors
    }

    /// Puts a constant where the series that it moves grow as measured.
    fn fit_by_slopes(&mut self, place: usize) {
        let (least, most) = (self.constants[place].least, self.constants[place].most);
        let rows = |row: &usize| self.active[*row].then(|| (&self.rows[*row], self.errors[*row]));
        let mut slopes = error_slopes(self.moved[place].iter().filter_map(rows));
        slopes.sort_by(f64::total_cmp);
        let Some(last) = slopes.len().checked_sub(1) else { return };
        let middle = f64::midpoint(slopes[last / 2], slopes[slopes.len() / 2]);
        self.set_constant(place, (self.values[place] - middle).clamp(least, most));
        for row in &self.moved[place] {
            self.errors[*row] = self.rows[*row].log_error();
        }
    }

    /// Puts a constant where the rows that it moves fit best, within `width` of its range.
    fn fit_by_search(&mut self, place: usize, width: f64) {
        let constant = &self.constants[place];
        let half = width * (constant.most - constant.least);
        let start = self.values[place];
        let low = (start - half).max(constant.least);
        let high = (start + half).min(constant.most);
        let best = golden_section([low, high], start, |value| self.loss_at(place, value));
        self.set_constant(place, best);
        for row in &self.moved[place] {
            self.errors[*row] = self.rows[*row].log_error();
        }
    }

    fn loss_at(&mut self, place: usize, value: f64) -> f64 {
        let constant = &self.constants[place];
        let mut loss = prior_penalty(constant, value);
        for row in &self.moved[place] {
            if self.active[*row] {
                let row = &mut self.rows[*row];
                constant.set_value(&mut row.timed.gpu, &mut row.timed.stack, value);
                loss += row.weight * huber_penalty(row.log_error());
            }
        }
        loss
    }
}

/// Where between two ends the loss is least, by golden section; `start` where it is nowhere less
/// than there.
pub(super) fn golden_section(
    [mut low, mut high]: [f64; 2],
    start: f64,
    mut loss: impl FnMut(f64) -> f64,
) -> f64 {
    let (mut best, mut least) = (start, loss(start));
    let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut losses = inner.map(&mut loss);
    for _ in 0..CUTS {
        let left = losses[0] < losses[1];
        let kept = usize::from(!left);
        if losses[kept] < least {
            (best, least) = (inner[kept], losses[kept]);
        }
        if left {
            high = inner[1];
            inner = [high - GOLDEN * (high - low), inner[0]];
            losses = [loss(inner[0]), losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + GOLDEN * (high - low)];
            losses = [losses[1], loss(inner[1])];
        }
    }
    best
}

/// How the error grows with each doubling of the GPUs, for each series of two sizes or more.
fn error_slopes<'a>(rows: impl Iterator<Item = (&'a FitRow, f64)>) -> Vec<f64> {
    let mut series: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for (row, error) in rows {
        series.entry(row.series).or_default().push((row.gpus().log2(), error));
    }
    series.values().filter_map(|points| line_slope(points)).collect()
}

/// Pseudo-Huber: a parabola about zero, straight lines beyond.
fn huber_penalty(error: f64) -> f64 {
    error.hypot(ROUND) - ROUND
}

fn prior_penalty(constant: &FittedConstant, value: f64) -> f64 {
    let share = (value - constant.prior) / (constant.most - constant.least);
    PRIOR * share * share
}
