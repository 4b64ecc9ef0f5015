//! Wang et al., arXiv 2307.12169, first version (July 2023): Figures 3 and 7a, Table 2, the group
//! sizes, and what the text says of them.

use planner::step::TrafficKind;
use planner::traffic::Locality;

use crate::published::harness::{Case, set};
use crate::published::table::{Row, Tolerance};

const GPT3: &str = "rail-only-2023-gpt3";
const OPT: &str = "rail-only-2023-opt";
const PALM: &str = "rail-only-2023-palm";

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(table_2());
    rows.extend(figure_3a());
    rows.extend(figure_3b());
    rows.extend(palm_volumes());
    rows.extend(figure_7a());
    rows.extend(in_words());
    rows.extend(group_sizes());
    rows
}

/// Table 2: N, radix, Clos switches, rail-only switches, Clos transceivers, rail-only
/// transceivers, saving in percent. Percentages are cut off there, not rounded.
const TABLE_2: [(u32, u32, [u32; 5]); 7] = [
    (32_768, 32, [7168, 3072, 262_144, 131_072, 54]),
    (32_768, 64, [2560, 1536, 196_608, 131_072, 37]),
    (32_768, 128, [1280, 256, 196_608, 65_536, 75]),
    (32_768, 256, [384, 128, 131_072, 65_536, 60]),
    (65_536, 64, [5120, 3072, 393_216, 262_144, 37]),
    (65_536, 128, [2560, 1536, 393_216, 262_144, 37]),
    (65_536, 256, [1280, 256, 393_216, 131_072, 75]),
];

fn table_2() -> Vec<Row> {
    let mut rows = Vec::new();
    for (gpus, radix, expected) in TABLE_2 {
        let case = Case::new(GPT3, &sized(gpus, 8, 256, radix));
        let [rails, clos] = case.rails_and_clos();
        let ours = [
            ("Clos switches", clos.switches, Tolerance::Exact),
            ("rail-only switches", rails.switches, Tolerance::Exact),
            ("Clos transceivers", clos.transceivers, Tolerance::Exact),
            ("rail-only transceivers", rails.transceivers, Tolerance::Exact),
            ("saving, %", 100.0 * (1.0 - rails.dollars / clos.dollars), Tolerance::Truncated),
        ];
        for ((what, ours, tolerance), expected) in ours.into_iter().zip(expected) {
            rows.push(Row {
                source: "arXiv 2307.12169 v1, Table 2",
                figure: format!("N {gpus}, radix {radix}: {what}"),
                expected: f64::from(expected),
                tolerance,
                ours,
            });
        }
    }
    rows
}

/// Shares of GPU pairs in percent: tensor, first- and second-stage data parallelism, none. The
/// tolerance is half of the last digit that is printed.
fn figure_3a() -> Vec<Row> {
    let cases = [
        (GPT3, [0.0214, 0.3876, 0.0946, 99.496]),
        (OPT, [0.0946, 0.3876, 0.0214, 99.496]),
        (PALM, [0.0458, 0.3876, 0.0458, 99.521]),
    ];
    let mut rows = Vec::new();
    for (name, expected) in cases {
        let case = Case::new(name, &[]);
        let partners = case.partners();
        let others = f64::from(32_768 - 1);
        let share = |count: u32| 100.0 * f64::from(count) / others;
        let ours = [
            ("tensor", share(partners.tensor), 0.000_05),
            ("data across domains", share(partners.data_across), 0.000_05),
            ("data inside a domain", share(partners.data_inside), 0.000_05),
            ("idle", 100.0 * partners.summary.idle_share(), 0.0005),
        ];
        for ((what, ours, most), expected) in ours.into_iter().zip(expected) {
            rows.push(Row {
                source: "arXiv 2307.12169 v1, Fig. 3a",
                figure: format!("{name}: pairs, {what}, %"),
                expected,
                tolerance: Tolerance::Absolute(most),
                ours,
            });
        }
    }
    rows
}

/// Shares of bytes in percent, read off the figure; and the volumes that they stand for.
fn figure_3b() -> Vec<Row> {
    let source = "arXiv 2307.12169 v1, Fig. 3b";
    let mut rows = Vec::new();
    for (name, expected) in [(GPT3, [59.8, 1.2, 39.0]), (OPT, [62.2, 4.6, 33.2])] {
        let volumes = volumes(&Case::new(name, &[]));
        let total: f64 = volumes.iter().map(|(_, bytes)| bytes).sum();
        for ((what, bytes), expected) in volumes.into_iter().zip(expected) {
            rows.push(Row {
                source,
                figure: format!("{name}: bytes, {what}, %"),
                expected,
                tolerance: Tolerance::Absolute(0.1), // read off a bar chart
                ours: 100.0 * bytes / total,
            });
        }
    }
    let gigabytes = [258.05, 5.39, 168.51];
    for ((what, bytes), expected) in volumes(&Case::new(GPT3, &[])).into_iter().zip(gigabytes) {
        rows.push(Row {
            source: "derived from arXiv 2307.12169 v1, Eq. 1 (docs/equations.md §6.5)",
            figure: format!("{GPT3}: GB a GPU, {what}"),
            expected,
            tolerance: Tolerance::Relative(0.001),
            ours: bytes / 1e9,
        });
    }
    rows
}

/// Bytes of PaLM's tensor groups by Eq. 1, with as many all-reduces a layer as the paper counts (two in
/// each of three passes), as its blocks have one after the other, and as PaLM's have side by side. Eq. 1
/// counts no gathers of its one key head, which a tensor group shares: here every head has its own.
fn palm_volumes() -> Vec<Row> {
    const LAYERS: f64 = 118.0;
    const ACTIVATIONS: f64 = 4.0 * 2048.0 * 2048.0 * 18_432.0;
    let cases = [
        ("Eq. 1's six all-reduces a layer", 12.0, ("training.recompute", "full")),
        ("four all-reduces a layer", 8.0, ("training.recompute", "none")),
        ("two all-reduces a layer", 4.0, ("model.parallel_blocks", "true")),
    ];
    let row = |(what, count, change): (&str, f64, (&str, &str))| {
        let [(_, tensor), ..] =
            volumes(&Case::new(PALM, &set(&[change, ("model.kv_heads", "48")])));
        Row {
            source: "arXiv 2307.12169 v1, Eq. 1 (docs/equations.md §6.5)",
            figure: format!("{PALM}: GB a GPU, tensor, {what}"),
            expected: LAYERS * count * ACTIVATIONS * 15.0 / 32_768.0 / 1e9,
            tolerance: Tolerance::Relative(0.001),
            ours: tensor / 1e9,
        }
    };
    cases.into_iter().map(row).collect()
}

/// Bytes that a GPU sends: tensor, data across domains, data inside.
fn volumes(case: &Case) -> [(&'static str, f64); 3] {
    [
        ("tensor", case.bytes(TrafficKind::Tensor, Locality::InsideDomain)),
        ("data across domains", case.bytes(TrafficKind::Data, Locality::AlongRail)),
        ("data inside a domain", case.bytes(TrafficKind::Data, Locality::InsideDomain)),
    ]
}

/// Iteration time of GPT-3 in seconds against K = 32, 64, …, 1024, digitised to ±0.02 s.
const FIGURE_7A: [(u32, u32, [f64; 6]); 3] = [
    (16_384, 4, [3.482, 3.085, 2.865, 2.766, 2.706, 2.686]),
    (32_768, 8, [2.308, 1.890, 1.692, 1.592, 1.532, 1.512]),
    (65_536, 8, [1.652, 1.254, 1.035, 0.935, 0.895, 0.856]),
];

fn figure_7a() -> Vec<Row> {
    let mut rows = Vec::new();
    for (gpus, tensor, expected) in FIGURE_7A {
        for (domain, expected) in [32, 64, 128, 256, 512, 1024].into_iter().zip(expected) {
            rows.push(Row {
                source: "arXiv 2307.12169 v1, Fig. 7a",
                figure: format!("GPT-3, N {gpus}, K {domain}: s"),
                expected,
                tolerance: Tolerance::Relative(0.02),
                ours: Case::new(GPT3, &sized(gpus, tensor, domain, 64)).seconds(),
            });
        }
    }
    rows
}

/// What the text says of larger domains; its percentages are those of N = 16,384.
fn in_words() -> Vec<Row> {
    let cases = [
        (GPT3, 4, (32, 64), 12.0, 0.5),
        (OPT, 16, (32, 64), 37.0, 0.5),
        (GPT3, 4, (512, 1024), 0.95, 0.01),
        (OPT, 16, (512, 1024), 7.5, 0.1),
    ];
    cases
        .into_iter()
        .map(|(name, tensor, (from, to), expected, most)| {
            let seconds = |domain| Case::new(name, &sized(16_384, tensor, domain, 64)).seconds();
            Row {
                source: "arXiv 2307.12169 v1, text (N = 16,384 derived)",
                figure: format!("{name}: K {from} to {to} saves, %"),
                expected,
                tolerance: Tolerance::Absolute(most),
                ours: 100.0 * (1.0 - seconds(to) / seconds(from)),
            }
        })
        .collect()
}

/// Group sizes of the figures: the power of two with the shortest step, which is the one nearest
/// to the optimum of Eq. 1 (docs/equations.md §6.4; Eq. 2 is printed too small by 2·√2).
fn group_sizes() -> Vec<Row> {
    let cases = [
        (GPT3, 16_384, 4.0),
        (GPT3, 32_768, 8.0),
        (GPT3, 65_536, 8.0),
        (OPT, 32_768, 32.0),
        (PALM, 32_768, 16.0),
    ];
    cases
        .into_iter()
        .map(|(name, gpus, expected)| {
            let timed = (0..6).map(|power| 1 << power).filter_map(|tensor: u32| {
                let case = Case::new(name, &sized(gpus, tensor, 256, 64));
                Some((tensor, case.try_seconds()?))
            });
            let best = timed.min_by(|a, b| a.1.total_cmp(&b.1)).expect("some group size runs");
            Row {
                source: "arXiv 2307.12169 v1, Figs. 3 and 7 (group sizes; Eq. 2 corrected)",
                figure: format!("{name}, N {gpus}: tensor-parallel group"),
                expected,
                tolerance: Tolerance::Exact,
                ours: f64::from(best.0),
            }
        })
        .collect()
}

/// Overrides for another cluster, group size, HB domain and switch.
fn sized(gpus: u32, tensor: u32, domain: u32, radix: u32) -> Vec<String> {
    set(&[
        ("cluster.gpus", &gpus.to_string()),
        ("parallelism.tensor", &tensor.to_string()),
        ("parallelism.data", &(gpus / tensor).to_string()),
        ("cluster.node", &format!("\"hb-{domain}\"")),
        ("cluster.switches", &format!("[\"paper-{radix}x400g\"]")),
    ])
}
