//! `planner fabric`, `fabric hb`.
//!
//! `planner fabric`, and `fabric` within other results, as programs read them.

use serde::Serialize;

use super::common::Figures;
use crate::design::Plan;
use crate::fabric::Counts;
use crate::hardware;
use crate::quantity::FigureSource;
use crate::report::sheet::{FabricSheet, HbSheet};
use crate::report::words::exact_number;

#[derive(Serialize)]
struct FabricJson {
    schema: &'static str,
    fabric: FabricCountsJson,
    /// Nothing where the switch is known by its ports alone.
    bom: Option<Vec<super::bill::BillLineJson>>,
    network_capex_usd: Option<f64>,
    domains: Vec<Domains>,
    /// NICs that were asked for: `fabric.endpoints` may be more.
    endpoints_asked: u64,
    /// Nothing where the graph was not asked for or is too large to look.
    minimum_cut: Option<Cut>,
}

/// The least cut between two halves that was found by flow.
#[derive(Serialize)]
struct Cut {
    share: f64,
    halves_tried: usize,
    at_least: f64,
    is_exact: bool,
}

/// Alike HB domains on the fabric.
#[derive(Serialize)]
struct Domains {
    count: u64,
    product: Option<String>,
    nics: u32,
    nics_a_rail: u32,
    inside: Option<Inside>,
}

/// What joins the GPUs of HB domains.
#[derive(Serialize)]
pub(super) struct Inside {
    switches: u32,
    links: u32,
    all_switches: u64,
    all_links: u64,
}

impl From<hardware::DomainInside> for Inside {
    fn from(inside: hardware::DomainInside) -> Self {
        let hardware::DomainInside { switches, links, all_switches, all_links } = inside;
        Self { switches, links, all_switches, all_links }
    }
}

/// The fabric as pretty JSON.
pub(in crate::report) fn fabric_json(sheet: &FabricSheet<'_>) -> String {
    let domains = sheet.domains.iter().map(|domain_sheet| Domains {
        count: domain_sheet.count,
        product: domain_sheet.product.clone(),
        nics: domain_sheet.nics,
        nics_a_rail: domain_sheet.nics_a_rail,
        inside: domain_sheet.inside.map(Into::into),
    });
    super::write(&FabricJson {
        schema: "planner/fabric/1",
        fabric: FabricCountsJson::new(sheet.counts),
        bom: sheet
            .bill
            .map(|(lines, _)| lines.iter().map(super::bill::BillLineJson::new).collect()),
        network_capex_usd: sheet.bill.map(|(_, total)| exact_number(total.get())),
        domains: domains.collect(),
        endpoints_asked: sheet.asked,
        minimum_cut: sheet.bisection.found.map(|cut| Cut {
            share: exact_number(cut.share),
            halves_tried: cut.tried,
            at_least: exact_number(sheet.bisection.at_least),
            is_exact: sheet.bisection.is_exact(),
        }),
    })
}

/// A fabric in numbers, all planes together.
#[derive(Serialize)]
pub(super) struct FabricCountsJson {
    #[serde(flatten)]
    counts: Figures,
    tiers: Vec<TierJson>,
    #[serde(flatten)]
    shares: Figures,
}

#[derive(Serialize)]
struct TierJson {
    name: &'static str,
    model: String,
    count: u64,
    radix: u32,
    down: u32,
    up: u32,
    ports_used: u64,
}

impl FabricCountsJson {
    pub(super) fn new(counts: &Counts) -> Self {
        Self::from_counts_and_figures(counts, FigureSource::default())
    }

    /// That of a plan, with what is known of the rules on oversubscription and on regular networks.
    pub(super) fn from_plan(plan: &Plan) -> Self {
        let known = FigureSource {
            oversubscription: plan.oversubscription.as_ref(),
            regularity: plan.regularity.as_ref(),
            regular: plan.regular.as_ref(),
            ..FigureSource::default()
        };
        Self::from_counts_and_figures(&plan.fabric, known)
    }

    fn from_counts_and_figures(this_counts: &Counts, known: FigureSource<'_>) -> Self {
        let answer = FigureSource { fabric: Some(this_counts), ..known };
        let (counts, shares) =
            Figures::section_figures("fabric", &answer).split_before_key("bisection_share");
        let tiers = this_counts.tiers.iter().map(|tier| TierJson {
            name: tier.name.name(),
            model: tier.model.clone(),
            count: tier.count,
            radix: tier.radix,
            down: tier.down,
            up: tier.up,
            ports_used: tier.ports_used,
        });
        Self { counts, tiers: tiers.collect(), shares }
    }
}

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
pub(in crate::report) fn hb_domain(sheet: &HbSheet<'_>) -> String {
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
