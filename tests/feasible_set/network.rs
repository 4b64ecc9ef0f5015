//! The best network of an instance: trees for groups of blocks, planes of trees, networks of planes.

use std::rc::Rc;

use crate::feasible_set::clock::{Clock, Holds};
use crate::feasible_set::cost::{Totals, Use, allowed, to_be_had, totals};
use crate::feasible_set::front::{Book, Offer, Part, Step, least, merge};
use crate::feasible_set::instance::{Family, Instance, Survive};
use crate::feasible_set::rails::aligned;
use crate::feasible_set::second::Second;
use crate::feasible_set::site::{Freedom, Site};
use crate::feasible_set::trees::{Kept, Ties, alone, cover, spines};

/// A design.
pub(crate) struct Best {
    /// Copies of the network.
    pub(crate) planes: u32,
    /// What its planes and rails were allowed.
    pub(crate) freedom: Freedom,
    /// Counts of all planes together.
    pub(crate) counts: Use,
    /// What it costs.
    pub(crate) totals: Totals,
    /// How it is built: planes alike, and the trees of each.
    pub(crate) planes_built: Vec<(u32, Vec<Tree>)>,
    /// Single switches that serve blocks of any plane.
    pub(crate) beside: Vec<Step>,
}

/// A tree: blocks and steps.
pub(crate) type Tree = (u32, Vec<Step>);

/// The best design of an instance by its goals, none whose first goal exceeds the bound.
pub(crate) fn best(instance: &Instance, freedom: Freedom, bound: f64) -> Option<Best> {
    // What is only a bound is one at any pace.
    let clock = Clock::for_instance(instance).filter(|_| freedom != Freedom::Shared);
    best_in_time(instance, freedom, bound, clock.as_ref())
}

/// Likewise, none that is slower than a clock says is of use.
pub(crate) fn best_in_time(
    instance: &Instance,
    freedom: Freedom,
    bound: f64,
    clock: Option<&Rc<Clock>>,
) -> Option<Best> {
    let too_large = instance.second.as_ref().is_some_and(Second::is_too_large);
    if too_large {
        return None;
    }
    let mut best: Option<Best> = None;
    let counts = instance.plane_counts().into_iter();
    for (planes, infiniband) in counts.flat_map(|count| [(count, false), (count, true)]) {
        if instance.switches.iter().all(|switch| switch.infiniband != infiniband) {
            continue;
        }
        // One port for each NIC, and no other NIC to take its place.
        let alone = planes == 1 && !(instance.forwards && instance.rails > 1);
        if alone && freedom == Freedom::Alike && instance.survive != Survive::default() {
            continue;
        }
        let mut book = Book::default();
        let mut site = Site::new(instance, planes, freedom, infiniband, bound);
        site.clock = clock.cloned();
        if let Some(best) = &best {
            site.bound = site.bound.min(best.totals.amount(instance.goals[0]));
        }
        for part in networks(&site, &mut book) {
            let totals = totals(instance, planes, &part.counts);
            let better = best.as_ref().is_none_or(|best| less(instance, &totals, &best.totals));
            if better && allowed(instance, &totals) && to_be_had(instance, &part.counts) {
                best = Some(told(&site, &book, &part, totals));
            }
        }
    }
    best
}

/// Whether the first totals are less by the goals, in their order.
fn less(instance: &Instance, one: &Totals, two: &Totals) -> bool {
    for goal in &instance.goals {
        let (one, two) = (one.amount(*goal), two.amount(*goal));
        if (one - two).abs() > 1e-9 * two.abs() {
            return one < two;
        }
    }
    false
}

/// Networks of all planes.
fn networks(site: &Site<'_>, book: &mut Book) -> Vec<Part> {
    let blocks = site.blocks();
    let plane = plane(site, book);
    let all = (blocks * site.rounds()) as usize;
    // Blocks that trees of two tiers serve, or all networks where switches are not shared.
    let mut built: Vec<Vec<Part>> = vec![Vec::new(); all + 1];
    built[0].push(book.empty());
    for _ in 0..site.rounds() / site.copies() {
        let mut next: Vec<Vec<Offer>> = (0..=all).map(|_| Vec::new()).collect();
        for (served, parts) in built.iter().enumerate() {
            for (more, of_plane) in plane.iter().enumerate() {
                let sum = served + more * site.copies() as usize;
                if sum > all || (!site.shares() && more < blocks as usize) {
                    continue;
                }
                for part in parts {
                    for tree in of_plane {
                        let counts = part.counts.plus(tree.counts.times(site.copies()));
                        if !site.lost(&counts, sum as u32 * site.ends()) {
                            let step = Step::Plane { copies: site.copies(), plane: tree.trace };
                            next[sum].push(Offer { counts, before: part.trace, step });
                        }
                    }
                }
            }
        }
        built = next.into_iter().map(|offers| least(offers, book)).collect();
    }
    if !site.shares() {
        return built.pop().expect("there is a set for every number");
    }
    let singles = alone(site, all as u32, 1, book);
    let mut offers = Vec::new();
    for (served, parts) in built.iter().enumerate() {
        for part in parts {
            for single in &singles[all - served] {
                let counts = part.counts.plus(single.counts);
                let step = Step::Beside { alone: single.trace };
                offers.push(Offer { counts, before: part.trace, step });
            }
        }
    }
    least(offers, book)
}

/// For each number of blocks the trees of two tiers of a plane that serve so many; single
/// switches too where they are not shared.
fn plane(site: &Site<'_>, book: &mut Book) -> Vec<Vec<Part>> {
    let mut groups = groups(site, book);
    if !site.shares() {
        for (group, parts) in groups.iter_mut().zip(alone(site, 1, site.copies(), book)).skip(1) {
            merge(group, &parts);
        }
    }
    let mut all = vec![vec![book.empty()]];
    for served in 1..=site.blocks() {
        let mut offers = Vec::new();
        for group in 1..=served {
            for part in &all[(served - group) as usize] {
                for tree in &groups[group as usize] {
                    let counts = part.counts.plus(tree.counts);
                    if !site.hopeless(&counts, served * site.ends()) {
                        let step = Step::Tree { blocks: group, tree: tree.trace };
                        offers.push(Offer { counts, before: part.trace, step });
                    }
                }
            }
        }
        all.push(least(offers, book));
    }
    all
}

/// For each number of blocks the trees of two tiers that may carry such a group.
fn groups(site: &Site<'_>, book: &mut Book) -> Vec<Vec<Part>> {
    let instance = site.instance;
    // Most blocks of a tree whose leafs serve any endpoints.
    let any = match instance.family {
        Family::RailOnly if instance.across > 0 => {
            return vec![Vec::new(); site.blocks() as usize + 1];
        }
        Family::RailOnly => Some(1),
        Family::RailOptimized => None,
        Family::Clos | Family::Auto => Some(site.blocks()),
    };
    let by_rail = match instance.family {
        Family::RailOptimized => true,
        Family::Auto if site.survive() != Survive::default() || site.clock.is_some() => true,
        Family::Auto => instance.across > 0 && instance.across < instance.within,
        Family::RailOnly | Family::Clos => false,
    };
    let mut groups = vec![Vec::new(); site.blocks() as usize + 1];
    let leafs = site.leaf_models();
    for (spines, models) in spines(site)
        .into_iter()
        .flat_map(|this_spines| leafs.iter().map(move |by| (this_spines, *by)))
    {
        if let Some(most) = any {
            let start = book.begin(spines.counts(), spines.step());
            let (within, across) = instance.floors();
            let kept = Kept::ALL;
            let mut ties = Ties {
                kept,
                holds: Holds::InOrder(site.rails_of(most)),
                own: Some(spines),
                shared: None,
                models,
                within,
                across,
            };
            let mut served = cover(site, &ties, (start, most * site.ends()), book);
            for group in 1..=most {
                // How many domains a leaf has endpoints of depends on the rails of its tree.
                if site.clock.is_some() {
                    ties.holds = Holds::InOrder(site.rails_of(group));
                    served = cover(site, &ties, (start, group * site.ends()), book);
                }
                let whole = group == site.blocks() && site.survive() != Survive::default();
                let most = (group * site.ends()) as usize;
                if !whole {
                    merge(&mut groups[group as usize], &served[most]);
                } else if let Some(kept) = Kept::of_all_rails(site, spines, instance.rails - 1) {
                    let ties = Ties { kept, ..ties };
                    let served = cover(site, &ties, (start, most as u32), book);
                    merge(&mut groups[group as usize], &served[most]);
                }
            }
        }
        if by_rail {
            // Where rails may stand alone, each is a block.
            let all = if site.rails_alone() { instance.rails } else { 1 };
            merge(&mut groups[all as usize], &aligned(site, (spines, models), book));
        }
    }
    groups
}

/// A design with its trees.
fn told(site: &Site<'_>, book: &Book, part: &Part, totals: Totals) -> Best {
    let (mut planes_built, mut beside) = (Vec::new(), Vec::new());
    for step in book.steps(part.trace) {
        match step {
            Step::Plane { copies, plane } => planes_built.push((copies, trees(book, plane))),
            Step::Beside { alone } => beside.extend(book.steps(alone)),
            _ => {}
        }
    }
    let (planes, freedom) = (site.planes, site.freedom);
    Best { planes, freedom, counts: part.counts, totals, planes_built, beside }
}

/// The trees of a plane.
fn trees(book: &Book, trace: usize) -> Vec<Tree> {
    let mut all = Vec::new();
    for step in book.steps(trace) {
        let Step::Tree { blocks, tree } = step else { continue };
        let mut steps = Vec::new();
        for step in book.steps(tree) {
            match step {
                Step::Rail { leafs } => {
                    steps.push(step);
                    steps.extend(book.steps(leafs));
                }
                other => steps.push(other),
            }
        }
        all.push((blocks, steps));
    }
    all
}
