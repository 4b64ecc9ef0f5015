//! Flow-level simulation: all flows share links max-min fairly until they are done.
//!
//! It knows bytes and rates, no packets, no latency and no congestion control.

use crate::units::{Bandwidth, Bytes, Seconds};

/// Bytes along a fixed route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What is to be carried; also its weight where it competes, as a long message is cut into
    /// more chunks than a short one.
    pub bytes: Bytes,
    /// Links by number, each of which carries all of it; a repeated one carries it twice.
    pub route: Vec<usize>,
}

/// The weighted max-min fair rates of flows that are all active, by progressive filling: rates
/// rise together, in proportion to their weights, until a link is full; its flows are then fixed.
///
/// A flow without bytes has rate zero; one without links, or on links that `capacity` lacks, is
/// not limited by those.
#[must_use]
pub fn max_min_rates(flows: &[Flow], capacity: &[Bandwidth]) -> Vec<Bandwidth> {
    let weight: Vec<f64> = flows.iter().map(|flow| flow.bytes.as_f64()).collect();
    let mut fixed: Vec<Option<f64>> =
        weight.iter().map(|weight| (*weight == 0.0).then_some(0.0)).collect();
    loop {
        let mut free: Vec<f64> = capacity.iter().map(|rate| rate.get()).collect();
        let mut load = vec![0.0; capacity.len()];
        for (number, flow) in flows.iter().enumerate() {
            for link in flow.route.iter().filter(|link| **link < capacity.len()) {
                match fixed[number] {
                    Some(rate) => free[*link] -= rate,
                    None => load[*link] += weight[number],
                }
            }
        }
        // The level at which a link is full, for links that still have rising flows.
        let level = |link: usize| (free[link].max(0.0)) / load[link];
        let lowest = (0..capacity.len())
            .filter(|link| load[*link] > 0.0)
            .map(level)
            .fold(f64::INFINITY, f64::min);
        let full = |link: &usize| {
            *link < capacity.len()
                && load[*link] > 0.0
                && level(*link) <= lowest * (1.0 + LEVEL_TOLERANCE)
        };
        let mut changed = false;
        for (number, flow) in flows.iter().enumerate() {
            if fixed[number].is_none() && flow.route.iter().any(full) {
                fixed[number] = Some(lowest * weight[number]);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    fixed.into_iter().map(|rate| Bandwidth::from_f64(rate.unwrap_or(f64::MAX))).collect()
}

/// The time at which the last flow is done, where all start together and share links max-min
/// fairly, again each time that some are done. A dead link takes as long as can be said.
#[must_use]
pub fn max_min_finish_time(flows: &[Flow], capacity: &[Bandwidth]) -> Seconds {
    let mut left: Vec<f64> = flows.iter().map(|flow| flow.bytes.as_f64()).collect();
    let mut now = 0.0;
    loop {
        let active: Vec<Flow> = flows
            .iter()
            .zip(&left)
            .map(|(flow, left)| {
                let bytes = if *left > 0.0 { flow.bytes } else { Bytes::ZERO };
                Flow { bytes, route: flow.route.clone() }
            })
            .collect();
        let rates = max_min_rates(&active, capacity);
        let times = left.iter().zip(&rates).filter(|(left, _)| **left > 0.0);
        let step = times.map(|(left, rate)| left / rate.get()).fold(f64::INFINITY, f64::min);
        if step.is_infinite() {
            return Seconds::from_f64(if left.iter().any(|left| *left > 0.0) { step } else { now });
        }
        now += step;
        for ((left, rate), flow) in left.iter_mut().zip(&rates).zip(flows) {
            *left -= rate.get() * step;
            if *left <= flow.bytes.as_f64() * LEVEL_TOLERANCE {
                *left = 0.0;
            }
        }
    }
}

/// Links whose levels differ by less are full together; floats carry no more digits.
const LEVEL_TOLERANCE: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::{Flow, max_min_finish_time, max_min_rates};
    use crate::units::quantity::{Bandwidth, Bytes};

    fn flow(bytes: u128, route: &[usize]) -> Flow {
        Flow { bytes: Bytes::new(bytes), route: route.to_vec() }
    }

    fn rates(flows: &[Flow], capacity: &[f64]) -> Vec<f64> {
        let capacity: Vec<Bandwidth> =
            capacity.iter().map(|rate| Bandwidth::from_f64(*rate)).collect();
        max_min_rates(flows, &capacity).into_iter().map(Bandwidth::get).collect()
    }

    #[test]
    fn the_narrowest_link_is_shared_first() {
        // The textbook line: one long flow, a short one on each of two links.
        let flows = [flow(1, &[0, 1]), flow(1, &[0]), flow(1, &[1])];
        assert_eq!(rates(&flows, &[10.0, 4.0]), [2.0, 8.0, 2.0]);
        let flows = [flow(3, &[0]), flow(1, &[0]), flow(0, &[0])];
        assert_eq!(rates(&flows, &[8.0]), [6.0, 2.0, 0.0]);
        assert_eq!(rates(&[flow(1, &[0])], &[0.0]), [0.0]);
    }

    #[test]
    fn flows_that_are_done_leave_their_links_to_others() {
        let capacity = [Bandwidth::from_f64(2.0), Bandwidth::from_f64(1.0)];
        // Half a byte per second each until the second is done; the third then has it all.
        let flows = [flow(2, &[0]), flow(2, &[0, 1])];
        assert!((max_min_finish_time(&flows, &capacity).get() - 2.0).abs() < 1e-9);
        assert_eq!(max_min_finish_time(&[], &capacity).get(), 0.0);
        assert_eq!(max_min_finish_time(&[flow(1, &[0])], &[Bandwidth::ZERO]).get(), f64::MAX);
    }
}
