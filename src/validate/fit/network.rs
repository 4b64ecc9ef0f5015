//! Fits the shares of line rates that collectives reach on a user's own tables of nccl-tests: of the
//! HB domain on tables inside one, of interfaces on tables over several. Changes no preset and reads
//! no file.

use super::calibrate::MovedConstant;
use super::descent::golden_section;
use crate::collective::nccl::NcclCall;
use crate::hardware::{Calibration, Gpu};
use crate::step::Operation;
use crate::timing::{CHANNELS_OVER_STEPS, NetworkModel, measured_call_time};
use crate::units::{Bytes, Seconds};
use crate::validate::collectives::LARGE_CALL;
use crate::validate::run::group_in_order;

/// Bytes below which a call says nothing of rates: most of its time is start and latency.
const LEAST_BYTES: Bytes = Bytes::new(1 << 20);
/// Least value of a share, and points at which it is tried first.
const LEAST_SHARE: f64 = 0.05;
const POINTS: u32 = 48;
/// Widths of the search about the best point.
const WIDTHS: [f64; 2] = [0.02, 0.004];
/// A row is moved by a share whose change by this much changes its time by a fifth of that.
const NUDGE: f64 = 0.05;
const FEWEST: usize = 2;
/// A share is moved where the mean error falls to less than this part of what it was.
const WORTH: f64 = 0.95;
/// Error above which no share of a line rate explains the rows.
const LARGE: f64 = 0.2;

/// A share, whose rows are inside a domain or over several.
struct LineShare {
    key: &'static str,
    is_across: bool,
    /// Why it stays where there are no such rows.
    absent: &'static str,
    value: fn(&mut Calibration) -> &mut f64,
    /// Share from which the rate is the line rate.
    most: f64,
}

const SHARES: [LineShare; 2] = [
    LineShare {
        key: "hb_share",
        is_across: false,
        absent: "no table inside one HB domain",
        value: |constants| &mut constants.hb_share,
        most: 1.0,
    },
    LineShare {
        key: "nic_share",
        is_across: true,
        absent: "no table over several HB domains",
        value: |constants| &mut constants.nic_share,
        most: 1.0 / CHANNELS_OVER_STEPS,
    },
];

/// A row of a table, ready to be predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCall {
    pub collective: Operation,
    /// HB domains and GPUs that took part.
    pub domains: u32,
    pub gpus: u32,
    /// Network interfaces that a rank has to itself, parts of one too.
    pub interfaces: f64,
    /// The whole vector.
    pub bytes: Bytes,
    pub time: Seconds,
}

/// A row, predicted: errors are predicted over measured time, less one.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedCall {
    pub call: MeasuredCall,
    /// By the shares that the machine came with.
    pub before: f64,
    /// By those that fit all rows.
    pub now: f64,
    /// By those that fit the other tables; `None` where none of them is over as many domains, one or
    /// several.
    pub unseen: Option<f64>,
}

/// What tables of nccl-tests give.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibratedNetwork {
    pub set: String,
    /// Shares that moved.
    pub constants: Vec<MovedConstant>,
    /// Which rows were not used, and why shares did not move.
    pub notes: Vec<String>,
    pub calls: Vec<JudgedCall>,
    /// Errors are so large that something else than a share is wrong.
    pub unexplained: bool,
}

impl CalibratedNetwork {
    /// Mean absolute errors, before and now.
    #[must_use]
    pub fn mean_errors(&self) -> [f64; 2] {
        [|call: &JudgedCall| call.before, |call: &JudgedCall| call.now]
            .map(|read| mean_size(self.calls.iter().map(read)))
    }

    /// Those of rows that a fit has not seen, before and by that fit; `None` where there are none.
    #[must_use]
    pub fn mean_unseen_errors(&self) -> Option<[f64; 2]> {
        let pair = |judged: &JudgedCall| Some([judged.before, judged.unseen?]);
        let pairs: Vec<[f64; 2]> = self.calls.iter().filter_map(pair).collect();
        let mean = |place: usize| mean_size(pairs.iter().map(|pair| pair[place]));
        (!pairs.is_empty()).then(|| [mean(0), mean(1)])
    }
}

/// Mean absolute error.
fn mean_size(errors: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = errors.len().max(1) as f64;
    errors.map(f64::abs).sum::<f64>() / count
}

/// The shares on all rows, and what they make of each.
#[must_use]
pub fn calibrate_network(
    gpu: &Gpu,
    network: &NetworkModel,
    measured: Vec<MeasuredCall>,
) -> CalibratedNetwork {
    let (calls, mut notes) = split_unused(measured);
    let fit = ShareFit { gpu, network, calls: &calls };
    let (own, found) = (fit.shipped_shares(), fit.fit_shares(|_| true));
    let mut constants = Vec::new();
    for (place, share) in SHARES.iter().enumerate() {
        match &found.moved[place] {
            Ok(rows) => constants.push(MovedConstant {
                key: share.key.to_owned(),
                unit: String::new(),
                before: own[place],
                after: found.values[place],
                rows: *rows,
                written: format!("{:.4}", found.values[place]),
            }),
            Err(why) if !calls.is_empty() => notes.push(format!("{} stays: {why}", share.key)),
            Err(_) => {}
        }
    }
    let table = |call: &MeasuredCall| (call.collective, call.gpus, call.domains);
    let folds: Vec<_> = group_in_order(&calls, table)
        .into_iter()
        .map(|(own, rows)| {
            let others = |other: &MeasuredCall| table(other) != own;
            let like = |other: &&MeasuredCall| (other.domains > 1) == (rows[0].domains > 1);
            let tells = calls.iter().filter(|other| others(other)).filter(like).count() >= FEWEST;
            (own, tells.then(|| fit.fit_shares(others).values))
        })
        .collect();
    let judged = calls.iter().map(|call| {
        let fold = folds.iter().find(|(own, _)| *own == table(call));
        JudgedCall {
            before: fit.call_error(call, own),
            now: fit.call_error(call, found.values),
            unseen: fold.and_then(|fold| Some(fit.call_error(call, fold.1?))),
            call: call.clone(),
        }
    });
    let judged: Vec<JudgedCall> = judged.collect();
    let unexplained = mean_size(judged.iter().map(|judged| judged.now)) > LARGE;
    let set = gpu.calibration.name.clone();
    CalibratedNetwork { set, constants, notes, calls: judged, unexplained }
}

/// Rows that can be predicted and say something of rates, and how many others there are.
fn split_unused(measured: Vec<MeasuredCall>) -> (Vec<MeasuredCall>, Vec<String>) {
    let why = |call: &MeasuredCall| match call.collective {
        _ if call.gpus < 2 => Some("of one GPU: nothing is sent"),
        Operation::Send => Some("of sends: NCCL's model has no time for one"),
        _ if call.bytes < LEAST_BYTES => Some("below 1 MiB: their time says nothing of rates"),
        _ => None,
    };
    let (calls, others): (Vec<_>, Vec<_>) =
        measured.into_iter().partition(|call| why(call).is_none());
    let unused = group_in_order(&others, |call| why(call).unwrap_or_default());
    let note = |(why, alike): (_, Vec<_>)| format!("not used: {} {why}", alike.len());
    (calls, unused.into_iter().map(note).collect())
}

/// Shares by their place, each with the rows that it moves or why it stays.
struct FittedShares {
    values: [f64; SHARES.len()],
    moved: [Result<usize, &'static str>; SHARES.len()],
}

struct ShareFit<'a> {
    gpu: &'a Gpu,
    network: &'a NetworkModel,
    calls: &'a [MeasuredCall],
}

impl ShareFit<'_> {
    fn shipped_shares(&self) -> [f64; SHARES.len()] {
        let mut constants = self.gpu.calibration.clone();
        SHARES.map(|share| *(share.value)(&mut constants))
    }

    fn call_error(&self, call: &MeasuredCall, shares: [f64; SHARES.len()]) -> f64 {
        self.errors_of_calls(&[call], shares)[0]
    }

    fn errors_of_calls(&self, calls: &[&MeasuredCall], shares: [f64; SHARES.len()]) -> Vec<f64> {
        let mut gpu = self.gpu.clone();
        for (share, value) in SHARES.iter().zip(shares) {
            *(share.value)(&mut gpu.calibration) = value;
        }
        let error = |call: &&MeasuredCall| {
            let both = call.collective == Operation::AllReduce;
            let asked = NcclCall::of_ranks(call.gpus, call.domains, both, call.bytes);
            measured_call_time(&gpu, self.network, call.interfaces, call.collective, &asked)
                / call.time
                - 1.0
        };
        calls.iter().map(error).collect()
    }

    /// The share of the domain on tables inside one, then that of interfaces on the others. Without
    /// a table inside a domain, its share is asked for only where interfaces are no limit.
    fn fit_shares(&self, takes_part: impl Fn(&MeasuredCall) -> bool) -> FittedShares {
        let rows = |is_across: bool| -> Vec<&MeasuredCall> {
            let fits = |call: &&MeasuredCall| takes_part(call) && (call.domains > 1) == is_across;
            self.calls.iter().filter(fits).collect()
        };
        let mut values = self.shipped_shares();
        let mut moved =
            SHARES.map(|share| self.fit_share(&share, &rows(share.is_across), &mut values));
        if rows(false).len() < FEWEST && moved[1].is_err() {
            moved[0] = self.fit_share(&SHARES[0], &rows(true), &mut values).or(moved[0]);
        }
        FittedShares { values, moved }
    }

    /// Moves a share to where those rows fit best, and answers how many it moves or why it stays.
    fn fit_share(
        &self,
        share: &LineShare,
        rows: &[&MeasuredCall],
        values: &mut [f64; SHARES.len()],
    ) -> Result<usize, &'static str> {
        if rows.len() < FEWEST {
            return Err(share.absent);
        }
        // What small calls take of latency is no matter of a rate.
        let large = rows.iter().copied().filter(|call| call.bytes >= LARGE_CALL);
        let large: Vec<&MeasuredCall> = large.collect();
        let rows = if large.len() < FEWEST { rows } else { &large };
        let place = usize::from(share.is_across);
        let (own, least, most) = (values[place], LEAST_SHARE, share.most);
        let errors = |value: f64| {
            let mut tried = *values;
            tried[place] = value;
            self.errors_of_calls(rows, tried)
        };
        let loss = |value: f64| mean_size(errors(value).into_iter());
        let point = |step: u32| least + (most - least) * f64::from(step) / f64::from(POINTS);
        let points = [own].into_iter().chain((0..=POINTS).map(point));
        let mut best = points.min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap_or(own);
        for width in WIDTHS {
            best =
                golden_section([(best - width).max(least), (best + width).min(most)], best, loss);
        }
        let nudged = errors(best * (1.0 - NUDGE)).into_iter().zip(errors(best));
        let moves = nudged.filter(|(slow, now)| (slow + 1.0) / (now + 1.0) > 1.0 + NUDGE / 5.0);
        let moves = moves.count();
        if moves < FEWEST {
            Err("the rows are limited by something else")
        } else if best >= most - f64::EPSILON {
            Err(
                "the rows are faster than the line rate: look for a wrong machine or NIC in the spec",
            )
        } else if loss(best) > WORTH * loss(own) {
            Err("the rows fit it as it is")
        } else {
            values[place] = best;
            Ok(moves)
        }
    }
}
