//! Laws between the answers to two instances, one derived from the other.

use crate::feasible_set::instance::{Family, Goal, Instance, Switch};
use crate::feasible_set::product::{Answer, Design, answer};
use crate::support::dice::Dice;

/// How the amount of the derived instance stands to that of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Relation {
    /// Not above it.
    NoHigher,
    /// Not below it.
    NoLower,
    /// So many times as high.
    Times(f64),
}

/// Derives an instance; none where the law says nothing about this one.
type Derive = fn(&Instance, &Design, &mut Dice) -> Option<Instance>;

/// Every law by its name.
const LAWS: [(&str, Relation, Derive); 25] = [
    ("cheaper switch", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, dice| switch.price -= dice.roll(switch.price))
    }),
    ("more frugal switch", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, dice| {
            switch.watts -= dice.roll(switch.watts.into()) as u32
        })
    }),
    ("more ports", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, dice| switch.ports += dice.between(1, 8) as u32)
    }),
    ("finer split", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, _| switch.split += 1)
    }),
    ("more stock", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, dice| switch.stock += dice.between(1, 20) as u32)
    }),
    ("more supply", Relation::NoHigher, |instance, _, dice| {
        changed(instance, dice, |switch, dice| {
            switch.supply = switch.supply.map(|supply| supply + dice.between(1, 20) as u32);
        })
    }),
    ("less supply", Relation::NoLower, |instance, design, dice| {
        changed(instance, dice, |switch, dice| {
            let less = dice.roll(u64::from(design.pieces(switch.name)) + 1) as u32;
            switch.supply = Some(switch.supply.unwrap_or(less).min(less));
        })
    }),
    ("cheaper transceiver", Relation::NoHigher, |instance, _, dice| {
        let mut next = instance.clone();
        let optic = dice.roll(next.optics.len() as u64) as usize;
        next.optics[optic].price -= dice.roll(next.optics[optic].price);
        Some(next)
    }),
    ("transceivers in stock", Relation::NoHigher, |instance, _, dice| {
        let mut next = instance.clone();
        let optic = dice.roll(next.optics.len() as u64) as usize;
        next.optics[optic].stock += dice.between(1, 500) as u32;
        Some(next)
    }),
    ("higher floor within rails", Relation::NoLower, |instance, _, dice| {
        let within = instance.within + dice.roll(u64::from(1001 - instance.within)) as u32;
        Some(Instance { within, ..instance.clone() })
    }),
    ("higher floor across rails", Relation::NoLower, |instance, _, dice| {
        let across = instance.across + dice.roll(u64::from(1001 - instance.across)) as u32;
        (instance.rails > 1).then(|| Instance { across, ..instance.clone() })
    }),
    ("fewer planes", Relation::NoLower, |instance, _, dice| {
        let most = instance.max_planes.unwrap_or(8);
        Some(Instance { max_planes: Some(dice.between(1, most.into()) as u32), ..instance.clone() })
    }),
    ("fewer domains", Relation::NoHigher, |instance, _, dice| {
        let domains = instance.domains - dice.roll(u64::from(instance.domains) - 1) as u32;
        Some(Instance { domains, missing: 0, ..instance.clone() })
    }),
    ("any family", Relation::NoHigher, |instance, _, _| {
        Some(Instance { family: Family::Auto, ..instance.clone() })
    }),
    ("one model fewer", Relation::NoLower, |instance, _, dice| {
        let mut next = instance.clone();
        next.switches.remove(dice.roll(next.switches.len() as u64) as usize);
        (!next.switches.is_empty()).then_some(next)
    }),
    ("a crippled twin", Relation::Times(1.0), |instance, _, dice| {
        twin(instance, dice, |switch, dice| {
            switch.ports -= dice.roll(switch.ports.into()) as u32;
            switch.price += dice.roll(2) * dice.roll(100);
        })
    }),
    ("a dear product", Relation::Times(1.0), |instance, design, dice| {
        twin(instance, dice, |switch, dice| {
            switch.ports = dice.between(2, 100) as u32;
            switch.price += 2 * design.amount(Goal::Tco) as u64;
            switch.watts += 2 * design.amount(Goal::Power) as u32;
        })
    }),
    ("other order of models", Relation::Times(1.0), |instance, _, dice| {
        let mut next = instance.clone();
        let turn = dice.roll(next.switches.len() as u64) as usize;
        next.switches.rotate_left(turn);
        next.switches.reverse();
        Some(next)
    }),
    ("other names", Relation::Times(1.0), |instance, _, _| {
        let mut next = instance.clone();
        for (switch, name) in next.switches.iter_mut().zip(["zeta", "epsilon", "delta"]) {
            switch.name = name;
        }
        Some(next)
    }),
    // Not equal: what one name did beside a second model now takes three, and a tree has no more
    // than two among its leafs.
    ("a model under two names", Relation::NoLower, |instance, _, dice| {
        let mut next = instance.clone();
        let at = dice.roll(next.switches.len() as u64) as usize;
        let mut half = next.switches[at].clone();
        half.name = TWIN;
        half.stock = dice.roll(u64::from(half.stock) + 1) as u32;
        half.supply = half.supply.map(|supply| dice.roll(u64::from(supply) + 1) as u32);
        let whole = &mut next.switches[at];
        whole.stock -= half.stock;
        whole.supply = whole.supply.map(|supply| supply - half.supply.unwrap_or(0));
        next.switches.push(half);
        Some(next)
    }),
    ("all prices threefold", Relation::Times(3.0), |instance, _, _| {
        let mut next = instance.clone();
        next.switches.iter_mut().for_each(|switch| switch.price *= 3);
        next.optics.iter_mut().for_each(|optic| optic.price *= 3);
        next.node_price *= 3;
        next.nic_price *= 3;
        (instance.goals[0] == Goal::Capex).then_some(next)
    }),
    ("a budget of just as much", Relation::Times(1.0), |instance, design, _| {
        let budget = Some(design.amount(Goal::Capex).ceil() as u64);
        Some(Instance { budget, ..instance.clone() })
    }),
    ("power of just as much", Relation::Times(1.0), |instance, design, _| {
        let power = Some(design.amount(Goal::Power).ceil() as u64);
        Some(Instance { power, ..instance.clone() })
    }),
    ("supply of just as much", Relation::Times(1.0), |instance, design, _| {
        let mut next = instance.clone();
        for switch in &mut next.switches {
            switch.supply = Some(design.pieces(switch.name).saturating_sub(switch.stock));
        }
        Some(next)
    }),
    ("what is used is owned", Relation::NoHigher, |instance, design, _| {
        let mut next = instance.clone();
        for switch in &mut next.switches {
            switch.stock = switch.stock.max(design.pieces(switch.name));
            switch.supply = Some(0);
        }
        Some(next)
    }),
];

/// Name of a model that an instance lacks.
const TWIN: &str = "omega";

/// An instance with one of its models changed.
fn changed(
    instance: &Instance,
    dice: &mut Dice,
    change: impl Fn(&mut Switch, &mut Dice),
) -> Option<Instance> {
    let mut next = instance.clone();
    let at = drawn(instance, dice);
    change(&mut next.switches[at], dice);
    Some(next)
}

/// Place of one of its models.
fn drawn(instance: &Instance, dice: &mut Dice) -> usize {
    dice.roll(instance.switches.len() as u64) as usize
}

/// An instance with a copy of one of its models, changed, not owned and to be had without limit;
/// none where the model itself is limited.
fn twin(
    instance: &Instance,
    dice: &mut Dice,
    change: impl Fn(&mut Switch, &mut Dice),
) -> Option<Instance> {
    let model = &instance.switches[drawn(instance, dice)];
    let mut twin = Switch { name: TWIN, stock: 0, ..model.clone() };
    change(&mut twin, dice);
    let mut next = instance.clone();
    next.switches.push(twin);
    model.supply.is_none().then_some(next)
}

/// A derived instance and how its answer breaks the law, if it does.
pub(crate) struct Trial {
    /// The derived instance.
    pub(crate) derived: Instance,
    /// How it is broken.
    pub(crate) fault: Option<String>,
}

/// Tries a law on an instance; none where the instance has no design or the law does not apply.
pub(crate) fn attempt(instance: &Instance, dice: &mut Dice) -> Option<Trial> {
    let Answer::Design(first) = answer(instance) else { return None };
    let (law, relation, derive) = LAWS[dice.roll(LAWS.len() as u64) as usize];
    let derived = derive(instance, &first, dice)?;
    let goal = instance.goals[0];
    let (before, slack) = (first.amount(goal), room(&first, goal));
    let (after, more, told) = match answer(&derived) {
        Answer::Design(second) => (second.amount(goal), room(&second, goal), second.words()),
        Answer::Infeasible(text) => (f64::INFINITY, 0.0, text),
        Answer::Failed(text) => (f64::NAN, 0.0, text),
    };
    let near = 1e-9 * before;
    let kept = match relation {
        Relation::NoHigher => after <= before + near + more,
        Relation::NoLower => after >= before - near - slack,
        Relation::Times(times) => {
            after <= before * times + near + more && after >= before * times - near - slack * times
        }
    };
    let fault = (!kept).then(|| {
        format!("LAW {law} {relation:?}: {before} to {after}\n  {}\n  {told}", first.words())
    });
    Some(Trial { derived, fault })
}

/// How far an answer may be above the best by its own word.
fn room(design: &Design, goal: Goal) -> f64 {
    if design.proven() { 0.0 } else { design.number("/solver/gap") * design.amount(goal) }
}
