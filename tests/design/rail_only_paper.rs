//! Table 2 of the rail-only paper (arXiv 2307.12169 v1), and the savings that follow from it.

use planner::fabric::{Counts, FabricKind, Request, SwitchChoice, tree_counts};
use planner::units::Bandwidth;

/// GPUs of an HB domain in the whole table.
const DOMAIN: u32 = 256;

/// A row: switches and transceivers of the Clos and of rail-only.
struct Row {
    gpus: u64,
    radix: u32,
    switches: [u64; 2],
    transceivers: [u64; 2],
    /// Saving in percent with the prices of v1, which truncates.
    saving: u64,
}

const fn row(gpus: u64, radix: u32, switches: [u64; 2], ends: [u64; 2], saving: u64) -> Row {
    Row { gpus, radix, switches, transceivers: ends, saving }
}

const TABLE: [Row; 7] = [
    row(32_768, 32, [7168, 3072], [262_144, 131_072], 54),
    row(32_768, 64, [2560, 1536], [196_608, 131_072], 37),
    row(32_768, 128, [1280, 256], [196_608, 65_536], 75),
    row(32_768, 256, [384, 128], [131_072, 65_536], 60),
    row(65_536, 64, [5120, 3072], [393_216, 262_144], 37),
    row(65_536, 128, [2560, 1536], [393_216, 262_144], 37),
    row(65_536, 256, [1280, 256], [393_216, 131_072], 75),
];

fn counts(kind: FabricKind, gpus: u64, radix: u32) -> Counts {
    let link = Bandwidth::from_gigabits(400.0);
    tree_counts(&Request::new(kind, gpus, DOMAIN, SwitchChoice::Radix(radix), link))
        .expect("the paper's fabrics exist")
}

fn both(gpus: u64, radix: u32) -> [Counts; 2] {
    [FabricKind::Clos, FabricKind::RailOnly].map(|kind| counts(kind, gpus, radix))
}

fn dollars(counts: &Counts, radix: u32, transceiver: u64, port: u64) -> u64 {
    counts.transceiver_count() * transceiver + counts.switch_count() * u64::from(radix) * port
}

#[test]
fn all_counts_of_table_2_are_reproduced() {
    for Row { gpus, radix, switches, transceivers, .. } in TABLE {
        let both = both(gpus, radix);
        assert_eq!(both.each_ref().map(Counts::switch_count), switches, "{gpus} {radix}");
        assert_eq!(both.each_ref().map(Counts::transceiver_count), transceivers, "{gpus} {radix}");
    }
}

#[test]
fn the_savings_of_version_1_follow_from_its_prices() {
    for Row { gpus, radix, saving, .. } in TABLE {
        let [clos, rail_only] = both(gpus, radix).map(|counts| dollars(&counts, radix, 374, 748));
        assert_eq!((clos - rail_only) * 100 / clos, saving, "{gpus} {radix}");
    }
}

#[test]
fn the_base_case_of_version_5_costs_what_it_says() {
    let [clos, rail_only] = both(32_768, 64).map(|counts| dollars(&counts, 64, 199, 694));
    assert_eq!((clos, rail_only), (152_829_952, 94_306_304));
}

/// The paper's own closed form, for sizes that divide evenly: t tiers with the least t for which
/// 2·(k/2)^t ports suffice, (2t − 1)·N/k switches, 2·t·N transceivers.
#[test]
fn the_closed_form_of_the_paper_holds_wherever_sizes_divide() {
    let mut compared = 0;
    for radix_bits in 3..=8_u32 {
        let radix = 1_u32 << radix_bits;
        for gpu_bits in 8..=20_u32 {
            let gpus = 1_u64 << gpu_bits;
            for kind in [FabricKind::Clos, FabricKind::RailOnly] {
                let ports = if kind == FabricKind::Clos { gpus } else { gpus / 256 };
                let tiers = (1..).find(|t| 2 * u64::from(radix / 2).pow(*t) >= ports);
                let tiers = u64::from(tiers.expect("powers grow"));
                if tiers > 4 || kind == FabricKind::Clos && ports < u64::from(radix) {
                    continue;
                }
                let counts = counts(kind, gpus, radix);
                let expected = ((2 * tiers - 1) * gpus).div_ceil(u64::from(radix));
                assert_eq!(counts.switch_count(), expected, "{kind} {gpus} {radix}");
                assert_eq!(counts.transceiver_count(), 2 * tiers * gpus, "{kind} {gpus} {radix}");
                compared += 1;
            }
        }
    }
    assert!(compared > 120, "only {compared} sizes were compared");
}
