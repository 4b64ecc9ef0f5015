//! Random small instances.

use crate::feasible_set::instance::{Family, Goal, Instance, Optic, Survive, Switch};
use crate::support::dice::Dice;

/// Names of the models.
const NAMES: [&str; 3] = ["alpha", "beta", "gamma"];

/// An instance without limits on money, power and racks.
pub(crate) fn instance(dice: &mut Dice) -> Instance {
    let rails = [1, 2, 4, 8][dice.roll(4) as usize];
    let domains = match dice.roll(3) {
        0 => dice.between(2, 8),
        1 => dice.between(5, 20),
        _ => dice.between(12, 48),
    } as u32;
    let domain_gpus = rails * [1, 1, 1, 2][dice.roll(4) as usize];
    let missing = if dice.chance(80) { 0 } else { dice.roll(domain_gpus.into()) as u32 };
    let rate = [400, 400, 400, 200, 200, 800][dice.roll(6) as usize];
    let card_planes = [1, 2, 2, rate / 100][dice.roll(4) as usize];
    let max_planes = dice.chance(50).then(|| [1, 2, 3, 4][dice.roll(4) as usize]);
    let models = dice.between(1, 3) as usize;
    let small = dice.chance(40);
    let mut switches: Vec<Switch> = Vec::new();
    for name in &NAMES[..models] {
        switches.push(switch(dice, name, small));
    }
    if switches.iter().all(|switch| switch.speed < rate) {
        switches[0].speed = rate;
    }
    let across = match dice.roll(10) {
        0..=1 if rails > 1 => dice.between(1, 20) as u32 * 50,
        2 if rails > 1 => dice.between(1, 1000) as u32,
        _ => 0,
    };
    let within = match dice.roll(10) {
        0..=2 => 0,
        3..=4 => 1000,
        5..=7 => dice.between(1, 20) as u32 * 50,
        _ => dice.between(1, 1000) as u32,
    };
    let family = match dice.roll(10) {
        0..=3 => Family::Auto,
        4..=6 if across == 0 => Family::RailOnly,
        4..=7 => Family::RailOptimized,
        _ => Family::Clos,
    };
    let goals = match dice.roll(10) {
        0..=5 => vec![Goal::Capex],
        6 => vec![Goal::Power],
        7 => vec![Goal::Tco],
        8 => vec![Goal::Capex, Goal::Power],
        _ => vec![Goal::Power, Goal::Capex],
    };
    Instance {
        domains,
        standby: domains % 3,
        wired: 0,
        domain_gpus,
        missing,
        rails,
        rate,
        card_planes,
        max_planes,
        only_planes: None,
        switches,
        optics: optics(dice),
        family,
        goals,
        within,
        across,
        budget: None,
        power: None,
        racks: None,
        node_price: dice.between(0, 3) * 10_000 + 1000,
        nic_price: dice.between(0, 10) * 100 + 10,
        forwards: true,
        survive: Survive::default(),
        second: None,
    }
}

/// An instance that has to survive losses.
pub(crate) fn surviving(dice: &mut Dice) -> Instance {
    let mut solved_instance = instance(dice);
    let (link, switch) = [(true, true), (false, true), (true, false)][dice.roll(3) as usize];
    solved_instance.survive = Survive { link, switch };
    solved_instance
}

/// An instance of so few endpoints and ports that every design can be tried in turn.
pub(crate) fn tiny(dice: &mut Dice) -> Instance {
    let mut solved_instance = instance(dice);
    solved_instance.rails = dice.between(1, 2) as u32;
    solved_instance.domains = dice.between(2, 3) as u32;
    solved_instance.card_planes = solved_instance.card_planes.min(2);
    if solved_instance.rails == 1 {
        solved_instance.across = 0;
    }
    solved_instance.switches.truncate(2);
    for switch in &mut solved_instance.switches {
        switch.ports = dice.between(2, 5) as u32;
        switch.split = 1;
        switch.price = dice.between(1, 9) * 100;
        switch.stock = switch.stock.min(2);
        switch.supply = dice.chance(20).then(|| dice.roll(4) as u32);
    }
    solved_instance
}

/// A switch model, somewhere near a common price per port.
fn switch(dice: &mut Dice, name: &'static str, small: bool) -> Switch {
    let ports = match dice.roll(4) {
        0 => dice.between(4, 16),
        1 => dice.between(2, 8) * 4,
        2 if !small => dice.between(4, 18) * 4,
        _ if !small => dice.between(16, 72),
        _ => dice.between(4, 24),
    } as u32;
    let price = u64::from(ports) * dice.between(60, 800) + dice.roll(5000);
    let watts = ports * dice.between(4, 20) as u32 + dice.roll(50) as u32;
    let stock = if dice.chance(25) { dice.between(1, 20) as u32 } else { 0 };
    let supply = dice.chance(25).then(|| dice.between(0, 24) as u32);
    Switch {
        name,
        ports,
        speed: [200, 400, 400, 400, 800][dice.roll(5) as usize],
        split: [1, 1, 2, 2, 3, 4][dice.roll(6) as usize],
        watts,
        price,
        units: dice.between(1, 4) as u32,
        stock,
        infiniband: dice.chance(8),
        supply,
    }
}

/// Transceivers of all rates.
fn optics(dice: &mut Dice) -> Vec<Optic> {
    let kinds = [
        (100, "sr4-100g", 3.5),
        (200, "sr4-200g", 6.0),
        (400, "dr4-400g", 9.0),
        (800, "dr8-800g", 16.5),
    ];
    let mut all = Vec::new();
    for (rate, name, watts) in kinds {
        let price = dice.between(1, 16) * u64::from(rate) / 8;
        let stock = if dice.chance(20) { dice.between(1, 800) as u32 } else { 0 };
        all.push(Optic { rate, name, watts, price, stock });
    }
    all
}
