//! How far each price may move before another design is chosen: found by designing again at the
//! price where the known designs cost the same, until nothing cheaper turns up there.

use std::collections::BTreeSet;

use crate::cost::{
    BillLine, OperatingTime, optic_price, part_price, reprice_part, sum_bill, switch_price,
};
use crate::design::candidate::candidates::{Candidate, list_candidates};
use crate::design::candidate::machine_cost::bill_of_materials;
use crate::design::candidate::priced_links::LinkPurchase;
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::job::machine::Machine;
use crate::design::network::best_network::size_network;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::alternatives::{PriceBand, PriceCrossing, PriceDoubt};
use crate::fabric::{Counts, FabricKind};
use crate::hardware::{Price, PriceBook, PricedItem};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Options;
use crate::units::{ROUNDING, Usd};

/// How far a price is followed up and down: beyond four times or a quarter it is another market.
const RANGE: f64 = 4.0;

/// A chosen design as a sum that follows prices.
pub(crate) struct ChosenDesign {
    /// The bill of each cluster.
    pub(crate) bills: Vec<DesignBill>,
    pub(crate) name: String,
    /// What tells it from others: product, interface, planes and fabric of each cluster.
    pub(crate) choice: Vec<(String, String, u32, Counts)>,
}

/// The bill of one cluster.
pub(crate) struct DesignBill {
    pub(crate) lines: Vec<BillLine>,
    pub(crate) running: OperatingTime,
    /// Value today of a dollar that is paid for it.
    pub(crate) weight: f64,
    /// Prices when it is paid over those of today.
    pub(crate) price: f64,
}

/// The candidates at any prices.
pub(crate) struct PriceMarket<'m> {
    pub(crate) scenario: &'m Scenario,
    /// The best design at a book's prices.
    pub(crate) winner: &'m mut dyn FnMut(&PriceBook) -> Option<ChosenDesign>,
    /// Transceivers that a design may have, with their prices.
    pub(crate) optics: Vec<(String, Option<Price>)>,
}

/// For every part of the best design of one cluster, and every switch or transceiver that it might
/// have had, the prices between which it stays the best. Empty where there is no design.
pub(crate) fn price_ranges_of_cluster(scenario: &Scenario, options: &Options) -> Vec<PriceBand> {
    let (all, _) = list_candidates(scenario, options);
    let mut tools = SizingTools::new(options);
    let mut winner = |prices: &PriceBook| best_design_at_prices(scenario, &all, prices, &mut tools);
    let optics = transceiver_prices(scenario, &scenario.prices);
    PriceMarket { scenario, winner: &mut winner, optics }.price_bands()
}

/// Transceivers, or modules and cables, of the candidates of one cluster, with their prices in a
/// book.
pub(crate) fn transceiver_prices(
    scenario: &Scenario,
    prices: &PriceBook,
) -> Vec<(String, Option<Price>)> {
    let read = |candidate: &Candidate<'_>| -> Vec<(String, Option<Price>)> {
        let Candidate { job, planes, protocol } = candidate;
        let link = job.machine.link_rate(*planes);
        match LinkPurchase::for_machine(scenario, job.machine, *planes, *protocol) {
            LinkPurchase::Parts(parts, _) => {
                let parts = parts.all_link_parts(&scenario.catalogue).into_iter();
                parts.map(|part| (part.name.to_owned(), part_price(prices, part.name))).collect()
            }
            LinkPurchase::ByEnd | LinkPurchase::Apart => {
                let optic = scenario.catalogue.find_optic(link).into_iter();
                let priced = |optic| optic_price(prices, Some(optic), link);
                optic.map(|optic| (optic.name.clone(), priced(optic))).collect()
            }
        }
    };
    list_candidates(scenario, &Options::default()).0.iter().flat_map(read).collect()
}

/// The best design of one cluster at these prices.
fn best_design_at_prices(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    prices: &PriceBook,
    tools: &mut SizingTools<'_>,
) -> Option<ChosenDesign> {
    let changed = Scenario { prices: prices.clone(), ..scenario.clone() };
    let terms = Terms::from_scenario(&changed);
    let mut best: Option<(Job<'_>, SizedFabric)> = None;
    for candidate in all {
        let job = Job { scenario: &changed, ..candidate.job.clone() };
        let terms = Terms { protocol: candidate.protocol, ..terms };
        let Ok(sized) = size_network(&job, candidate.planes, &terms, tools) else { continue };
        if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
            best = Some((job, sized));
        }
    }
    let (job, sized) = best?;
    let lines = bill_of_materials(&job, Some(&sized.counts));
    let running = OperatingTime::from_step_time(
        job.scenario,
        sized.time,
        sized.goodput(&job, &mut tools.cache),
    );
    let Machine { node, nic, .. } = job.machine;
    Some(ChosenDesign {
        bills: vec![DesignBill { lines, running, weight: 1.0, price: 1.0 }],
        name: design_name(&node.name, &sized.counts),
        choice: vec![(node.name.clone(), nic.name.clone(), sized.planes, sized.counts)],
    })
}

impl PriceMarket<'_> {
    /// For every part whose price may decide, the prices between which the best design stays the
    /// best; empty where there is no design.
    ///
    /// What a design costs is linear in the price of one part, and the best cost of all is a
    /// minimum of such lines: where two of them cross, designing once more either confirms the
    /// crossing or finds a third line below it (docs/formulation.md).
    pub(crate) fn price_bands(mut self) -> Vec<PriceBand> {
        let Some(chosen) = (self.winner)(&self.scenario.prices) else { return Vec::new() };
        let mut bands = Vec::new();
        for (part, price) in self.priced_parts(&chosen) {
            let bought = |line: &BillLine| line.part == part && line.count > line.owned;
            let used = chosen.bills.iter().flat_map(|bill| &bill.lines).any(bought);
            let below = self.find_price_crossing(&chosen, &part, &price, 1.0 / RANGE);
            // What is not bought can't become too dear.
            let above =
                used.then(|| self.find_price_crossing(&chosen, &part, &price, RANGE)).flatten();
            let doubt = PriceDoubt::doubt_of_price(&price, &self.scenario.prices);
            let Price { amount, basis, date, .. } = price;
            bands.push(PriceBand { part, price: amount, basis, date, doubt, used, below, above });
        }
        bands
    }

    /// Parts whose price may decide, with it: those of the bills, then other switches on offer and
    /// transceivers of other planes.
    fn priced_parts(&self, chosen: &ChosenDesign) -> Vec<(String, Price)> {
        let mut known = BTreeSet::new();
        let mut parts = Vec::new();
        let mut add = |name: &str, price: Option<Price>| {
            if let Some(price) = price
                && price.amount > Usd::ZERO
                && known.insert(name.to_owned())
            {
                parts.push((name.to_owned(), price));
            }
        };
        for bill in &chosen.bills {
            // Prices of another day are a share of today's.
            let today =
                |price: &Price| Price { amount: price.amount / bill.price, ..price.clone() };
            for line in &bill.lines {
                add(&line.part, line.unit.as_ref().map(today));
            }
        }
        let (catalogue, prices) = (&self.scenario.catalogue, &self.scenario.prices);
        let chosen = &self.scenario.cluster.switches;
        for switch in &catalogue.switches {
            if chosen.is_empty() || chosen.contains(&switch.name) {
                add(&switch.name, switch_price(prices, switch));
            }
        }
        for (name, price) in &self.optics {
            add(name, price.clone());
        }
        parts
    }

    /// The price of a part, on the way to `factor` times its own, at which another design costs
    /// as little.
    fn find_price_crossing(
        &mut self,
        chosen: &ChosenDesign,
        part: &str,
        price: &Price,
        factor: f64,
    ) -> Option<PriceCrossing> {
        let minimize = self.scenario.objective.minimize;
        let lead = |chosen: &ChosenDesign, other: &ChosenDesign, at: Usd| {
            value_at_part_price(chosen, minimize, part, at)
                - value_at_part_price(other, minimize, part, at)
        };
        let own = price.amount;
        let mut at = own * factor;
        let mut other: Option<ChosenDesign> = None;
        for _ in 0..effort::PRICE_RANGE_ROUNDS {
            let found = (self.winner)(&with_part_price(&self.scenario.prices, part, price, at))?;
            let loses = lead(chosen, &found, at);
            if loses <= ROUNDING * value_at_part_price(chosen, minimize, part, at)
                || found.choice == chosen.choice
            {
                break;
            }
            // Lines that cross between the part's own price, where the chosen one is best, and
            // this price, where it is not.
            let leads = (-lead(chosen, &found, own)).max(0.0);
            at = own + (at - own) * (leads / (leads + loses));
            other = Some(found);
        }
        other.map(|other| PriceCrossing { price: at, to: other.name })
    }
}

/// What the objective counts, were the part sold at that price today.
fn value_at_part_price(design: &ChosenDesign, minimize: Minimize, part: &str, price: Usd) -> f64 {
    let one = |bill: &DesignBill| {
        let cost = sum_bill(&reprice_part(&bill.lines, part, price * bill.price), &bill.running);
        let value = match minimize {
            Minimize::Capex => cost.capex.get(),
            Minimize::Tco => cost.tco.get(),
            Minimize::UsdPerToken => {
                cost.tco.get() * bill.running.step.get() / bill.running.goodput
            }
            Minimize::Power => cost.power.get(),
        };
        value * bill.weight
    };
    design.bills.iter().map(one).sum()
}

/// The book with another price for a part.
fn with_part_price(book: &PriceBook, part: &str, price: &Price, amount: Usd) -> PriceBook {
    let mut book = book.clone();
    book.prices.insert(PricedItem::Part(part.to_owned()), Price { amount, ..price.clone() });
    book
}

/// A design of a product in a few words.
pub(crate) fn design_name(node: &str, counts: &Counts) -> String {
    let models: BTreeSet<&str> = counts.tiers.iter().map(|tier| tier.model.as_str()).collect();
    let models: Vec<&str> = models.into_iter().collect();
    let planes = if counts.planes > 1 { format!(" x {}", counts.planes) } else { String::new() };
    let level = if counts.within_rail < 1.0 {
        format!(" {:.1}:1", 1.0 / counts.within_rail)
    } else if counts.kind == FabricKind::RailOptimized && counts.across_rails < 1.0 {
        format!(" {:.1}:1", 1.0 / counts.across_rails)
    } else {
        String::new()
    };
    format!(
        "{}{level}{planes}, {} {}, {}",
        counts.kind,
        counts.switch_count(),
        models.join(" + "),
        node
    )
}
