//! A found design checked rule by rule from its steps alone, and told in words.

use std::collections::BTreeSet;

use crate::feasible_set::clock::{Clock, slow};
use crate::feasible_set::cost::Use;
use crate::feasible_set::front::Step;
use crate::feasible_set::instance::{Family, Instance};
use crate::feasible_set::network::{Best, Tree};
use crate::feasible_set::site::{Freedom, LEAF_MODELS, Site};
use crate::feasible_set::trees::one;

/// What is wrong with a design; empty: nothing.
pub(crate) fn faults(instance: &Instance, best: &Best) -> Vec<String> {
    let mut faults = Vec::new();
    let used = instance.switches.iter().zip(best.counts.switches).filter(|(_, count)| *count > 0);
    let protocols: Vec<bool> = used.map(|(switch, _)| switch.infiniband).collect();
    let infiniband = protocols.contains(&true);
    if protocols.contains(&!infiniband) {
        faults.push("two protocols".into());
    }
    let mut site = Site::new(instance, best.planes, best.freedom, infiniband, f64::INFINITY);
    site.clock = Clock::for_instance(instance).filter(|_| best.freedom != Freedom::Shared);
    let mut sum = Use::default();
    let (mut served, mut planes) = (0, 0);
    for (copies, trees) in &best.planes_built {
        planes += copies;
        let mut blocks = 0;
        for tree in trees {
            blocks += tree.0;
            if slow(&site, tree) > 0 {
                faults.push("a leaf that is too slow".into());
            }
            sum = sum.plus(tree_counts(&site, tree, &mut faults).times(*copies));
        }
        served += copies * blocks;
        if blocks > site.blocks() || (blocks < site.blocks() && !site.shares()) {
            faults.push(format!("{blocks} of {} blocks of a plane", site.blocks()));
        }
    }
    for step in &best.beside {
        if let Step::Alone { model, blocks } = *step {
            served += blocks;
            sum = sum.plus(single(&site, model, blocks, &mut faults));
        }
    }
    if !best.beside.is_empty() && !site.shares() {
        faults.push("switches that planes share".into());
    }
    if planes != site.rounds() || (!site.unlike() && best.planes_built.len() > 1) {
        faults.push(format!("{planes} of {} planes", best.planes));
    }
    if served != site.blocks() * site.rounds() {
        faults.push(format!("{served} of {} blocks in {} planes", site.blocks(), best.planes));
    }
    if instance.family == Family::RailOnly && instance.across > 0 {
        faults.push("rails alone, and bandwidth across them".into());
    }
    if sum != best.counts {
        faults.push(format!("{sum:?} and not {:?}", best.counts));
    }
    faults
}

/// Counts of one switch for whole blocks.
fn single(site: &Site<'_>, model: usize, blocks: u32, faults: &mut Vec<String>) -> Use {
    if blocks * site.ends() > site.radix[model] {
        faults.push(format!("{blocks} blocks of {} on one switch", site.ends()));
    }
    one(model, 1, 0)
}

/// Counts of a tree.
fn tree_counts(site: &Site<'_>, tree: &Tree, faults: &mut Vec<String>) -> Use {
    let instance = site.instance;
    let (blocks, steps) = tree;
    if site.freedom != Freedom::Shared && !rails_alike(steps) {
        faults.push("rails of one tree built unlike".into());
    }
    if site.freedom != Freedom::Shared && leaf_models(steps) > LEAF_MODELS {
        faults.push("leafs of too many models".into());
    }
    let floors = instance.floors();
    let mut sum = Use::default();
    let mut below = 0;
    // Spines that all leafs of the tree share, and those of the rail that is being read, each
    // with the links that end there.
    let (mut shared, mut own): (Option<Tied>, Option<Tied>) = (None, None);
    for (at, step) in steps.iter().enumerate() {
        match *step {
            Step::Alone { model, blocks } => {
                below += blocks * site.ends();
                sum = sum.plus(single(site, model, blocks, faults));
            }
            Step::Spines { model, count } => {
                sum = sum.plus(one(model, count, 0));
                let tied = Tied { model, count, links: 0 };
                *(if at == 0 { &mut shared } else { &mut own }) = Some(tied);
            }
            Step::Rail { .. } => {
                faults.extend(own.take().and_then(|tied_leafs| tied_leafs.overfull(site)));
            }
            Step::Leaf { model, down, up, rails: whole } => {
                sum = sum.plus(one(model, 1, up));
                below += down;
                let within = whole > 0 || up * 1000 >= down * floors.0;
                let across = up * 1000 >= down * floors.1;
                let whole_rails = whole == 0 || whole * instance.domains == down;
                let striped = shared.as_mut().is_some_and(|tied_leafs| tied_leafs.tie(up));
                let fits = down > 0 && down + up <= site.radix[model];
                if !(within && across && whole_rails && striped && fits) {
                    faults.push(format!("leaf {down}:{up} on {shared:?}"));
                }
            }
            Step::SplitLeaf { model, down, own: to_own, shared: to_shared } => {
                let up = to_own + to_shared;
                sum = sum.plus(one(model, 1, up));
                below += down;
                let counted = if site.freedom == Freedom::Shared { up } else { to_own };
                let within = counted * 1000 >= down * floors.0;
                let across = to_shared * 1000 >= down * floors.1;
                let striped = shared.as_mut().is_some_and(|tied_leafs| tied_leafs.tie(to_shared))
                    && own.as_mut().is_some_and(|tied_leafs| tied_leafs.tie(to_own));
                let fits = down > 0 && down + up <= site.radix[model];
                let may = site.freedom >= Freedom::Split;
                if !(within && across && striped && fits && may) {
                    faults.push(format!("leaf {down}:{to_own}+{to_shared} on {own:?} {shared:?}"));
                }
            }
            _ => {}
        }
    }
    if instance.family == Family::RailOnly && shared.is_some() && *blocks > 1 {
        faults.push(format!("a tree of {blocks} rails"));
    }
    faults.extend(
        [own, shared].into_iter().flatten().filter_map(|tied_leafs| tied_leafs.overfull(site)),
    );
    if below < blocks * site.ends() {
        faults.push(format!("{below} of {} endpoints", blocks * site.ends()));
    }
    sum
}

/// Whether every rail of a tree has the leafs and spines of the first, or none has its own.
fn rails_alike(steps: &[Step]) -> bool {
    let mut rails = steps.split(|step| matches!(step, Step::Rail { .. })).skip(1);
    let whole = |step: &Step| matches!(step, Step::Leaf { rails: 1.., .. });
    let first = rails.next();
    first.is_none_or(|first| !steps.iter().any(whole) && rails.all(|rail| rail == first))
}

/// Models among the leafs of a tree.
fn leaf_models(steps: &[Step]) -> usize {
    let models = steps.iter().filter_map(|step| match step {
        Step::Leaf { model, .. } | Step::SplitLeaf { model, .. } => Some(*model),
        _ => None,
    });
    models.collect::<BTreeSet<usize>>().len()
}

/// Spines with the links that end at them.
#[derive(Debug, Clone, Copy)]
struct Tied {
    model: usize,
    count: u32,
    links: u32,
}

impl Tied {
    /// Ties a leaf with so many links; false where they do not spread evenly.
    fn tie(&mut self, links: u32) -> bool {
        self.links += links;
        links > 0 && links.is_multiple_of(self.count)
    }

    /// What is wrong with the links.
    fn overfull(&self, site: &Site<'_>) -> Option<String> {
        (self.links > self.count * site.radix[self.model]).then(|| format!("overfull {self:?}"))
    }
}

/// The design in words.
pub(crate) fn words(instance: &Instance, best: &Best) -> String {
    let block = if best.planes_built.is_empty() { "" } else { "blocks" };
    let mut planes = Vec::new();
    for (copies, trees) in &best.planes_built {
        let trees: Vec<String> = (trees.iter())
            .map(|(blocks, steps)| format!("{blocks} {block}: {}", listed(instance, steps)))
            .collect();
        if !trees.is_empty() {
            planes.push(format!("{copies} x [{}]", trees.join(" | ")));
        }
    }
    if !best.beside.is_empty() {
        planes.push(format!("whole networks: {}", listed(instance, &best.beside)));
    }
    let counts: Vec<String> = (instance.switches.iter().zip(best.counts.switches))
        .map(|(switch, count)| format!("{count} {}", switch.name))
        .collect();
    format!(
        "{:?}, {} planes: {}; in all {}, {} leaf-spine links: capex ${}, power {} W, {} racks",
        best.freedom,
        best.planes,
        planes.join(" + "),
        counts.join(", "),
        best.counts.links,
        best.totals.capex,
        best.totals.power,
        best.totals.racks
    )
}

/// Steps with how often each is taken.
fn listed(instance: &Instance, steps: &[Step]) -> String {
    let name = |model: usize| instance.switches[model].name;
    let mut parts: Vec<(String, u32)> = Vec::new();
    for step in steps {
        let part = match *step {
            Step::Alone { model, blocks } => format!("{} with {blocks} blocks", name(model)),
            Step::Spines { model, count } => format!("{count} spines {}", name(model)),
            Step::Leaf { model, down, up, rails: 0 } => format!("leaf {} {down}:{up}", name(model)),
            Step::SplitLeaf { model, down, own, shared } => {
                format!("leaf {} {down}:{own}+{shared}", name(model))
            }
            Step::Leaf { model, down, up, rails } => {
                format!("leaf {} {down}:{up} of {rails} whole rails", name(model))
            }
            _ => continue,
        };
        match parts.iter_mut().find(|(text, _)| *text == part) {
            Some((_, times)) => *times += 1,
            None => parts.push((part, 1)),
        }
    }
    let parts: Vec<String> =
        parts.into_iter().map(|(text, times)| format!("{times} x {text}")).collect();
    parts.join(", ")
}
