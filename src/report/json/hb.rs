//! `planner fabric hb` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::HbSheet;

#[derive(Serialize)]
struct HbJson<'a> {
    schema: &'static str,
    family: Option<&'a str>,
    kind: &'static str,
    gpus: u32,
    links_per_gpu: u32,
    chip_ports: u32,
    levels: u32,
    taper: u32,
    pod: u32,
    planes: u32,
    lanes: u32,
    leaf_chips: u64,
    spine_chips: u64,
    chips: u64,
    gpu_links: u64,
    long_links: u64,
    free_ports: u64,
    all_to_all_share: f64,
    neighbours_share: f64,
    rate_bytes_per_s: Option<f64>,
    power_w: Option<f64>,
    hb_usd: Option<f64>,
    hb_usd_low: Option<f64>,
    hb_usd_high: Option<f64>,
}

/// The domain as pretty JSON.
pub(in super::super) fn hb_domain(sheet: &HbSheet<'_>) -> String {
    let counts = &sheet.counts;
    super::write(&HbJson {
        schema: "planner/hb/1",
        family: sheet.family,
        kind: counts.request.kind.name(),
        gpus: counts.request.gpus,
        links_per_gpu: counts.request.links,
        chip_ports: counts.request.ports,
        levels: counts.levels,
        taper: counts.request.taper,
        pod: counts.pod,
        planes: counts.planes,
        lanes: counts.lanes,
        leaf_chips: counts.leaf_chips,
        spine_chips: counts.spine_chips,
        chips: counts.chip_count(),
        gpu_links: counts.gpu_links,
        long_links: counts.long_links,
        free_ports: counts.free_ports,
        all_to_all_share: exact_number(counts.all_to_all),
        neighbours_share: exact_number(counts.neighbours),
        rate_bytes_per_s: sheet.rate.map(|rate| exact_number(rate.get())),
        power_w: sheet.power.map(|power| exact_number(power.get())),
        hb_usd: sheet.cost.map(|cost| exact_number(cost.amount.get())),
        hb_usd_low: sheet.cost.map(|cost| exact_number(cost.low.get())),
        hb_usd_high: sheet.cost.map(|cost| exact_number(cost.high.get())),
    })
}
