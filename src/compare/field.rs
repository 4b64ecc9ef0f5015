//! The baselines that the machines of a design could have, counted and priced, and the way from the
//! paper's Clos to the design step by step.

use std::collections::BTreeMap;

use super::attribution::{Attribution, Cause, Contribution};
use super::baseline::{Baseline, Variant};
use super::contender::{Against, Contender};
use crate::cost::{switch_price, with_ports_at};
use crate::design::{Infeasible, Plan, network_capex, on_fabric};
use crate::fabric::{self, Counts, FabricKind, Ratio, Request, Split, SwitchChoice, counts, tree};
use crate::hardware::Switch;
use crate::scenario::Scenario;
use crate::units::Usd;

/// What all baselines have in common.
pub(super) struct Field<'a> {
    scenario: &'a Scenario,
    design: &'a Plan,
    /// Models that may be used: those with a price, where any has one.
    switches: Vec<Switch>,
}

impl<'a> Field<'a> {
    pub(super) fn new(scenario: &'a Scenario, design: &'a Plan) -> Self {
        let chosen = &scenario.cluster.switches;
        let allowed = |switch: &&Switch| chosen.is_empty() || chosen.contains(&switch.name);
        let all: Vec<&Switch> = scenario.catalogue.switches.iter().filter(allowed).collect();
        let priced = |switch: &&Switch| switch_price(&scenario.prices, switch).is_some();
        let any = all.iter().any(priced);
        let switches = all.into_iter().filter(|of| !any || priced(of)).cloned().collect();
        Self { scenario, design, switches }
    }

    /// The design's NICs in a family of fabric.
    fn request(&self, kind: FabricKind, switch: &'a Switch, planes: u32) -> Request<'a> {
        let nodes = &self.design.nodes;
        let endpoints = u64::from(nodes.domains) * u64::from(nodes.node.nics);
        let choice = SwitchChoice::Model(switch);
        Request::new(kind, endpoints, nodes.node.nics, choice, nodes.nic.bandwidth)
            .in_planes(planes)
    }

    /// Most planes that the design could have had.
    fn most_planes(&self) -> u32 {
        self.scenario.cluster.max_planes.min(self.design.nodes.nic.max_planes).max(1)
    }

    /// The cheapest fabric that a baseline's variant can be; `None` where no model on offer can build
    /// it.
    pub(super) fn contender(
        &self,
        baseline: Baseline,
        variant: Variant,
    ) -> Result<Option<Contender>, Infeasible> {
        let Some(counts) = self.least(self.options(baseline, variant))? else { return Ok(None) };
        Ok(Some(self.on(baseline, variant, &counts)?))
    }

    /// Every fabric that a baseline's variant can be.
    pub(super) fn options(&self, baseline: Baseline, variant: Variant) -> Vec<Counts> {
        let nodes = &self.design.nodes;
        let trees = fabric::Baseline {
            endpoints: u64::from(nodes.domains) * u64::from(nodes.node.nics),
            rails: nodes.node.nics,
            nic: nodes.nic.bandwidth,
            switches: &self.switches,
            max_planes: self.most_planes(),
        };
        match baseline {
            Baseline::Clos if variant == Variant::SameSwitch => {
                self.paper_clos(1).into_iter().collect()
            }
            Baseline::Clos => trees.best_clos(),
            Baseline::MultiPlane => {
                let mut found = trees.best_clos();
                found.retain(|counts| counts.planes > 1);
                found
            }
            Baseline::RailOnly => trees.oversubscribed(FabricKind::RailOnly, Ratio::ONE),
            Baseline::RailOptimized { share } => {
                trees.oversubscribed(FabricKind::RailOptimized, share)
            }
            Baseline::OversubscribedClos { share } => trees.oversubscribed(FabricKind::Clos, share),
            Baseline::Flat(kind) => self.flat(kind),
        }
    }

    /// The design's machines on a fabric that a baseline's variant can be.
    pub(super) fn on(
        &self,
        baseline: Baseline,
        variant: Variant,
        counts: &Counts,
    ) -> Result<Contender, Infeasible> {
        let plan = on_fabric(self.scenario, self.design, counts)?;
        let what = match baseline {
            Baseline::Clos if variant == Variant::SameSwitch => "same switch".to_owned(),
            Baseline::Clos | Baseline::MultiPlane => "best model".to_owned(),
            Baseline::RailOnly => "1:1".to_owned(),
            Baseline::RailOptimized { share } | Baseline::OversubscribedClos { share } => {
                share.inverse().map_or_else(String::new, |down| down.to_string())
            }
            Baseline::Flat(_) => "its own routing".to_owned(),
        };
        let planes = match counts.planes {
            1 => "one plane".to_owned(),
            planes => format!("{planes} planes"),
        };
        let against = Against::new(&plan, self.design);
        let name = format!("{}, {what}, {planes}", counts.kind);
        Ok(Contender { baseline, name, plan, against })
    }

    /// Fabrics that are no trees, each of a model that has the ports for it.
    fn flat(&self, kind: FabricKind) -> Vec<Counts> {
        let built = self.switches.iter().filter_map(|switch| {
            let mut found = counts(&self.request(kind, switch, 1)).ok()?;
            // These families count anonymous switches of as many ports as they need.
            let anonymous = found.tiers.iter_mut().filter(|tier| tier.model.is_empty());
            anonymous.for_each(|tier| tier.model.clone_from(&switch.name));
            Some(found)
        });
        built.collect()
    }

    /// The cheapest; of equals the first.
    fn least(&self, all: Vec<Counts>) -> Result<Option<Counts>, Infeasible> {
        let mut best: Option<(Usd, Counts)> = None;
        for counts in all {
            let cost = self.cost(&counts)?;
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, counts));
            }
        }
        Ok(best.map(|(_, counts)| counts))
    }

    fn cost(&self, counts: &Counts) -> Result<Usd, Infeasible> {
        Ok(network_capex(self.scenario, self.design, counts)?)
    }

    /// The model that the design has most of.
    fn main_switch(&self) -> Option<&Switch> {
        let tier = self.design.fabric.tiers.iter().max_by_key(|tier| tier.count)?;
        self.scenario.catalogue.switches.iter().find(|switch| switch.name == tier.model)
    }

    /// Full bisection of the design's own switch (arXiv 2307.12169 §5, in one plane).
    fn paper_clos(&self, planes: u32) -> Option<Counts> {
        tree(&self.request(FabricKind::Clos, self.main_switch()?, planes)).ok()
    }

    /// Full bisection of the design's own switch with the product's own interfaces, in one plane.
    fn own_nic_clos(&self) -> Option<Counts> {
        let nic = self.design.nodes.node.nic.bandwidth;
        let request = self.request(FabricKind::Clos, self.main_switch()?, 1);
        tree(&Request { link: nic, ..request }).ok()
    }

    /// The scenario at prices at which a port of any model costs what one of `main` does.
    fn ports_alike(&self, scenario: &Scenario, main: &Switch) -> Scenario {
        let prices = with_ports_at(&scenario.prices, &scenario.catalogue.switches, main, |of| {
            of.radix(self.design.fabric.link)
        });
        Scenario { prices, ..scenario.clone() }
    }

    /// Clos of the product's own interfaces → the design's, that is the paper's Clos → as many
    /// planes as the design → separate rails that never block → the design all bought, a port of
    /// every model at one price → the design all bought → the design.
    pub(super) fn attribution(&self) -> Result<Option<Attribution>, Infeasible> {
        let design = &self.design.fabric;
        let Some(switch) = self.main_switch() else { return Ok(None) };
        let rails = Request {
            split: Split::AtLeast(Ratio::ONE),
            ..self.request(FabricKind::RailOnly, switch, design.planes)
        };
        let (Some(own), Some(paper), Some(clos), Ok(rails)) =
            (self.own_nic_clos(), self.paper_clos(1), self.paper_clos(design.planes), tree(&rails))
        else {
            return Ok(None);
        };
        let bought = Scenario { inventory: BTreeMap::new(), ..self.scenario.clone() };
        let new = |counts: &Counts| network_capex(&bought, self.design, counts);
        let joined = design.kind != FabricKind::RailOnly;
        let spine_saving = new(&clos)? - new(&rails)?;
        let after_rails = if joined { new(&clos)? } else { new(&rails)? };
        let new_design = new(design)?;
        let alike = network_capex(&self.ports_alike(&bought, switch), self.design, design)?;
        let steps = [
            new(&own)? - new(&paper)?,
            new(&paper)? - new(&clos)?,
            new(&clos)? - after_rails,
            after_rails - alike,
            alike - new_design,
            // Both sides use what is owned: what the design saves by it beyond that Clos.
            (new_design - self.cost(design)?) - (new(&own)? - self.cost(&own)?),
        ];
        let contributions = Cause::ALL
            .into_iter()
            .zip(steps)
            .map(|(cause, saving)| Contribution { cause, saving })
            .collect();
        let clos_cost = new(&clos)?;
        Ok(Some(Attribution {
            contributions,
            planes: design.planes,
            clos_tiers: clos.depth(),
            rail_tiers: rails.depth(),
            rails_share: if clos_cost > Usd::ZERO { spine_saving / clos_cost } else { 0.0 },
        }))
    }
}
