//! Wang et al., arXiv 2307.12169, last version (Hot Interconnects 2024): the base case's price and
//! the overhead of forwarding a mixture of experts' all-to-all. Its parallel degrees, times and
//! watts are not published in full, so nothing here claims them.

use planner::step::TrafficKind;
use planner::traffic::Locality;

use crate::published::harness::{Case, set};
use crate::published::table::{Row, Tolerance};

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = base_case();
    rows.extend(forwarding());
    rows
}

/// N = 32,768, K = 256, radix 64, at $694 a port and $199 a transceiver.
fn base_case() -> Vec<Row> {
    let case = Case::new("rail-only-2023-gpt3", &set(&[("cluster.prices", "rail-only-2024")]));
    let [rails, clos] = case.rails_and_clos().map(|network| network.dollars);
    let row = |figure: &str, expected, tolerance, ours| Row {
        source: "arXiv 2307.12169 v5, cost table (second-hand)",
        figure: figure.to_owned(),
        expected,
        tolerance,
        ours,
    };
    vec![
        row("N 32768, radix 64: Clos, $", 152_829_952.0, Tolerance::Exact, clos),
        row("N 32768, radix 64: rail-only, $", 94_306_304.0, Tolerance::Exact, rails),
        row("saving, %", 38.3, Tolerance::Absolute(0.05), 100.0 * (1.0 - rails / clos)),
    ]
}

/// Extra time of an all-to-all whose messages to other rails are forwarded inside the domain,
/// over the time that it takes across domains. The paper counts every message; of uniform
/// traffic only (K−1)/K needs it (docs/equations.md §8.1, §8.2).
fn forwarding() -> Vec<Row> {
    let mut rows = Vec::new();
    for (node, printed, derived) in [
        ("dgx-a100-80gb", 8.2, 100.0 * 25.0 / 300.0 * 7.0 / 8.0),
        ("dgx-h100", 11.2, 100.0 * 50.0 / 450.0 * 7.0 / 8.0),
    ] {
        let case = Case::new("rail-only-2024-moe", &set(&[("cluster.node", node)]));
        let exposed = case.exposed(TrafficKind::Expert);
        let across: f64 = [Locality::AlongRail, Locality::AcrossRails]
            .map(|locality| case.bytes(TrafficKind::Expert, locality))
            .into_iter()
            .sum();
        let (nic, size) = case.interface();
        let over_nic = across / nic;
        let overhead = 100.0 * (exposed[0] - exposed[1]) / over_nic;
        let whole = size / (size - 1.0);
        rows.push(Row {
            source: "arXiv 2307.12169 v5, MoE paragraph (second-hand)",
            figure: format!("{node}: forwarding without (K-1)/K, %"),
            expected: printed,
            tolerance: Tolerance::Absolute(0.15), // 25/300 and 50/450 are 8.33 % and 11.11 %
            ours: overhead * whole,
        });
        rows.push(Row {
            source: "derived (docs/equations.md §8.2)",
            figure: format!("{node}: forwarding with (K-1)/K, %"),
            expected: derived,
            tolerance: Tolerance::Relative(0.001),
            ours: overhead,
        });
    }
    rows
}
