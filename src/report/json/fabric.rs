//! `planner fabric`, and `fabric` within other results, as programs read them.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::FabricSheet;
use super::figures::Figures;
use crate::design::Plan;
use crate::fabric::Counts;
use crate::hardware;
use crate::quantity::FigureSource;

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
pub(in super::super) fn fabric_json(sheet: &FabricSheet<'_>) -> String {
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
