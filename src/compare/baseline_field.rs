//! The baselines that the machines of a design could have, counted and priced, and the way from the
//! paper's Clos to the design step by step.

use std::collections::BTreeMap;

use super::baseline::{Baseline, Variant};
use super::comparison::{
    Attribution, BaselineDifference, BaselineResult, Contribution, SavingCause,
};
use crate::cost::{price_by_port_count, switch_price};
use crate::design::{
    BaselineFabric, BaselineRequest, Infeasible, Plan, best_routed_fabrics,
    cheapest_fabrics_by_planes, limits_broken_by_plan, network_capex, plan_on_fabric,
};
use crate::fabric::{FabricKind, Ratio, Request, SwitchChoice, fabric_counts};
use crate::hardware::Switch;
use crate::scenario::{FabricChoice, Scenario};
use crate::sizing::Options;
use crate::timing::UplinkBalance;
use crate::units::Usd;

/// What all baselines have in common.
pub(super) struct BaselineField<'a> {
    scenario: &'a Scenario,
    design: &'a Plan,
    /// Models that may be used: those with a price, where any has one.
    switches: Vec<Switch>,
    options: Options,
}

impl<'a> BaselineField<'a> {
    pub(super) fn new(scenario: &'a Scenario, design: &'a Plan, options: &Options) -> Self {
        let chosen = &scenario.cluster.switches;
        let allowed = |switch: &&Switch| chosen.is_empty() || chosen.contains(&switch.name);
        let all: Vec<&Switch> = scenario.catalogue.switches.iter().filter(allowed).collect();
        let priced = |switch: &&Switch| switch_price(&scenario.prices, switch).is_some();
        let any = all.iter().any(priced);
        let switches =
            all.into_iter().filter(|switch_model| !any || priced(switch_model)).cloned().collect();
        Self { scenario, design, switches, options: options.clone() }
    }

    /// The design's NICs in a family of fabric that is no tree, in one plane.
    fn flat_request(&self, kind: FabricKind, switch: &'a Switch) -> Request<'a> {
        let nodes = &self.design.nodes;
        let endpoints = u64::from(nodes.cabled) * u64::from(nodes.node.nics);
        let choice = SwitchChoice::Model(switch);
        Request::new(kind, endpoints, nodes.node.nics, choice, nodes.nic.bandwidth)
    }

    /// The cheapest fabric that a baseline's variant can be; `None` where no model on offer can
    /// build it.
    pub(super) fn best_contender(
        &self,
        baseline: Baseline,
        variant: Variant,
    ) -> Result<Option<BaselineResult>, Infeasible> {
        let all = self.cheapest_fabrics(baseline, variant)?;
        let fabric = match baseline {
            // In the order of the design's own objective.
            Baseline::Routed(_) => all.into_iter().next(),
            _ => self.min_cost_fabric(all)?,
        };
        let Some(fabric) = fabric else { return Ok(None) };
        Ok(Some(self.contender_on_fabric(baseline, variant, &fabric)?))
    }

    /// Fabrics that a baseline's variant can be: the cheapest of each number of planes.
    fn cheapest_fabrics(
        &self,
        baseline: Baseline,
        variant: Variant,
    ) -> Result<Vec<BaselineFabric>, Infeasible> {
        let best = |family, share| BaselineRequest {
            family,
            share,
            least_planes: 1,
            most_planes: u32::MAX,
            model: None,
            own_nic: false,
        };
        let wanted = match baseline {
            Baseline::Clos if variant == Variant::SameSwitch => {
                let Some(model) = self.main_switch() else { return Ok(Vec::new()) };
                let model = Some(model.name.as_str());
                BaselineRequest { most_planes: 1, model, ..best(FabricChoice::Clos, Ratio::ONE) }
            }
            Baseline::Clos => best(FabricChoice::Clos, Ratio::ONE),
            Baseline::MultiPlane => {
                BaselineRequest { least_planes: 2, ..best(FabricChoice::Clos, Ratio::ONE) }
            }
            Baseline::RailOnly => best(FabricChoice::RailOnly, Ratio::ONE),
            Baseline::RailOptimized { share } => best(FabricChoice::RailOptimized, share),
            Baseline::OversubscribedClos { share } => best(FabricChoice::Clos, share),
            Baseline::Routed(family) => {
                return Ok(best_routed_fabrics(self.scenario, self.design, family, &self.options)?);
            }
            Baseline::Flat(kind) => return Ok(self.flat_fabrics(kind)),
        };
        Ok(cheapest_fabrics_by_planes(self.scenario, self.design, &wanted, &self.options)?)
    }

    /// The baseline's fabrics, and those of each model alone: where several clusters draw on one
    /// stock, what is cheapest for one may take what another needs.
    pub(super) fn fabric_choices(
        &self,
        baseline: Baseline,
        variant: Variant,
    ) -> Result<Vec<BaselineFabric>, Infeasible> {
        let mut all = self.cheapest_fabrics(baseline, variant)?;
        if variant == Variant::SameSwitch {
            return Ok(all);
        }
        for switch in &self.switches {
            let mut scenario = self.scenario.clone();
            scenario.cluster.switches = vec![switch.name.clone()];
            let alone = BaselineField::new(&scenario, self.design, &self.options);
            all.extend(alone.cheapest_fabrics(baseline, variant)?);
        }
        Ok(all)
    }

    /// The design's machines on a fabric that a baseline's variant can be.
    pub(super) fn contender_on_fabric(
        &self,
        baseline: Baseline,
        variant: Variant,
        fabric: &BaselineFabric,
    ) -> Result<BaselineResult, Infeasible> {
        let counts = &fabric.counts;
        let plan = plan_on_fabric(self.scenario, self.design, fabric)?;
        let what = match baseline {
            Baseline::Clos if variant == Variant::SameSwitch => "same switch".to_owned(),
            Baseline::Clos | Baseline::MultiPlane => "cheapest switch".to_owned(),
            Baseline::RailOnly => "1:1".to_owned(),
            Baseline::RailOptimized { share } | Baseline::OversubscribedClos { share } => {
                share.inverse().map_or_else(String::new, |down| down.to_string())
            }
            Baseline::Routed(FabricChoice::TaperedClos) => "tapered".to_owned(),
            Baseline::Routed(_) | Baseline::Flat(_) => "its own routing".to_owned(),
        };
        let planes = match counts.planes {
            1 => "1 plane".to_owned(),
            planes => format!("{planes} planes"),
        };
        let against = BaselineDifference::new(&plan, self.design);
        let name = format!("{}, {what}, {planes}", counts.kind);
        let breaks = limits_broken_by_plan(self.scenario, &plan);
        Ok(BaselineResult { baseline, name, plan, against, breaks })
    }

    /// Fabrics that are no trees, each of a model that has the ports for it.
    fn flat_fabrics(&self, kind: FabricKind) -> Vec<BaselineFabric> {
        let built = self.switches.iter().filter_map(|switch| {
            let request = self.flat_request(kind, switch);
            let mut found = fabric_counts(&request).ok()?;
            // These families count anonymous switches of as many ports as they need.
            let anonymous = found.tiers.iter_mut().filter(|tier| tier.model.is_empty());
            anonymous.for_each(|tier| tier.model.clone_from(&switch.name));
            Some(BaselineFabric::from_counts(
                found,
                UplinkBalance::from_cluster(&self.scenario.cluster),
            ))
        });
        built.collect()
    }

    /// The cheapest; of equals the first.
    fn min_cost_fabric(
        &self,
        all: Vec<BaselineFabric>,
    ) -> Result<Option<BaselineFabric>, Infeasible> {
        let mut best: Option<(Usd, BaselineFabric)> = None;
        for fabric in all {
            let cost = self.fabric_capex(&fabric)?;
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, fabric));
            }
        }
        Ok(best.map(|(_, fabric)| fabric))
    }

    fn fabric_capex(&self, fabric: &BaselineFabric) -> Result<Usd, Infeasible> {
        Ok(network_capex(self.scenario, self.design, fabric)?)
    }

    /// The model that the design has most of.
    fn main_switch(&self) -> Option<&Switch> {
        let tier = self.design.fabric.tiers.iter().max_by_key(|tier| tier.count)?;
        self.scenario.catalogue.switches.iter().find(|switch| switch.name == tier.model)
    }

    /// The cheapest fabric of the design's own switch in so many planes.
    fn own_switch(
        &self,
        family: FabricChoice,
        planes: u32,
        own_nic: bool,
    ) -> Result<Option<BaselineFabric>, Infeasible> {
        let Some(main) = self.main_switch() else { return Ok(None) };
        let wanted = BaselineRequest {
            family,
            share: Ratio::ONE,
            least_planes: planes,
            most_planes: planes,
            model: Some(&main.name),
            own_nic,
        };
        let found = cheapest_fabrics_by_planes(self.scenario, self.design, &wanted, &self.options)?;
        Ok(found.into_iter().next())
    }

    /// The scenario at prices at which a port of any model costs what one of `main` does.
    fn ports_alike(&self, scenario: &Scenario, main: &Switch) -> Scenario {
        let prices =
            price_by_port_count(&scenario.prices, &scenario.catalogue.switches, main, |switch| {
                switch.radix(self.design.fabric.link)
            });
        Scenario { prices, ..scenario.clone() }
    }

    /// Clos of the product's own interfaces → the design's, that is the paper's Clos → as many
    /// planes as the design → separate rails that never block → the design all bought, a port of
    /// every model at one price → the design all bought → the design.
    pub(super) fn attribution(&self) -> Result<Option<Attribution>, Infeasible> {
        let design = &BaselineFabric::from_plan(self.design);
        let planes = design.counts.planes;
        let Some(switch) = self.main_switch() else { return Ok(None) };
        // Full bisection of the design's own switch in one plane is what arXiv 2307.12169 §5 sets
        // rail-only against.
        let own = self.own_switch(FabricChoice::Clos, 1, true)?;
        let paper = self.own_switch(FabricChoice::Clos, 1, false)?;
        let clos = self.own_switch(FabricChoice::Clos, planes, false)?;
        let rails = self.own_switch(FabricChoice::RailOnly, planes, false)?;
        let (Some(own), Some(paper), Some(clos), Some(rails)) = (own, paper, clos, rails) else {
            return Ok(None);
        };
        let bought = Scenario { inventory: BTreeMap::new(), ..self.scenario.clone() };
        let new = |fabric: &BaselineFabric| network_capex(&bought, self.design, fabric);
        let joined = design.counts.kind.joins_rails();
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
            (new_design - self.fabric_capex(design)?) - (new(&own)? - self.fabric_capex(&own)?),
        ];
        let contributions = SavingCause::ALL
            .into_iter()
            .zip(steps)
            .map(|(cause, saving)| Contribution { cause, saving })
            .collect();
        let clos_cost = new(&clos)?;
        Ok(Some(Attribution {
            contributions,
            planes,
            clos_tiers: clos.counts.tier_count(),
            rail_tiers: rails.counts.tier_count(),
            rails_share: if clos_cost > Usd::ZERO { spine_saving / clos_cost } else { 0.0 },
        }))
    }
}
