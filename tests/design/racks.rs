//! Racks as a limit: what is counted, what is refused and by how much, and that room never costs.

use planner::cost::Role;
use planner::design::{Infeasible, LimitMove, Plan};
use planner::scenario::Scenario;
use planner::units::Amount;

use crate::support::scenario::{design, ready};

fn scenario(changes: &[&str]) -> Scenario {
    // A transceiver at each end, and as many machines on standby in every design.
    let own = ["cluster.links=by-end", "failures.standby=10"];
    ready("llama3-405b-h100-16384", &[&own[..], changes].concat())
}

fn sized(changes: &[&str]) -> Result<Plan, Infeasible> {
    design(&scenario(changes))
}

fn plan(changes: &[&str]) -> Plan {
    sized(changes).unwrap_or_else(|reason| panic!("{changes:?}: {reason}"))
}

/// The one limit that fails, with what would do.
#[track_caller]
fn needs(changes: &[&str], key: &str) -> Amount {
    match sized(changes) {
        Err(Infeasible::Clash(moves)) => {
            let limit_move = moves.iter().find(|limit_move: &&LimitMove| limit_move.limit == key);
            limit_move.unwrap_or_else(|| panic!("{key} is not among {moves:?}")).needs.clone()
        }
        other => panic!("{changes:?}: {:?}", other.map(|plan| plan.racks)),
    }
}

/// Machines by height, or by power where that binds; switches by model. 2,048 machines of eight
/// units and 10.2 kW: five a rack, or three where 40 kW can be fed.
#[test]
fn racks_of_a_plan_are_those_of_its_parts() {
    let free = plan(&["limits.racks=100000"]);
    let fed = plan(&["limits.racks=100000", "limits.rack_power=40 kW"]);
    for (plan, fit) in [(&free, 5_u64), (&fed, 3)] {
        let racks = plan.racks.expect("all parts state their room");
        let machines = (2048 + plan.failures.year.standby.domains).div_ceil(fit);
        assert!(racks.nodes >= machines);
        let optic =
            plan.bill.iter().find(|line| line.role == Role::Optic).expect("links end").power;
        let switches = plan.bill.iter().filter(|line| line.role == Role::Switch);
        let counted = switches.map(|line| {
            let mut tiers = plan.fabric.tiers.iter().filter(|tier| tier.model == line.part);
            let ports = f64::from(tiers.next().expect("it is in use").radix);
            // Two units each, and every port lit.
            let fed = racks.rack.power.map_or(f64::INFINITY, |most| {
                (most.get() / (line.power.get() + ports * optic.get())).floor()
            });
            (line.count as f64 / fed.min(21.0)).ceil() as u64
        });
        assert_eq!(racks.least, machines + counted.sum::<u64>(), "{racks:?}");
        assert!(racks.least <= racks.total_racks() && racks.others == 0, "{racks:?}");
    }
    let racks = fed.racks.expect("as above");
    assert!(racks.fullest.get() <= 40e3 && racks.fullest.get() > 30e3, "{racks:?}");
    assert_eq!(free.cost, fed.cost, "room is free");
}

#[test]
fn too_few_racks_are_refused_with_what_would_do() {
    let free = plan(&["limits.racks=100000"]);
    let cheapest = free.racks.expect("all parts state their room");
    let few = "limits.racks=400";
    let Amount::Count(least) = needs(&[few], "limits.racks") else { panic!("racks are counted") };
    let least = u64::try_from(least).expect("few racks");
    assert!(least <= cheapest.least && least > cheapest.least - cheapest.switches, "{least}");
    let enough = format!("limits.racks={least}");
    let tight = plan(&[&enough]);
    let racks = tight.racks.expect("as above");
    assert!(racks.total_racks() <= least);
    assert!(tight.cost.capex >= free.cost.capex, "a tighter limit never costs less");
    let short = format!("limits.racks={}", least - 1);
    assert_eq!(needs(&[&short], "limits.racks"), Amount::Count(least.into()));
}

#[test]
fn a_rack_that_feeds_no_machine_is_refused_with_what_would_do() {
    let Amount::Power(least) = needs(&["limits.rack_power=8 kW"], "limits.rack_power") else {
        panic!("it is power")
    };
    // One machine draws 10.2 kW; nothing smaller helps.
    assert!((least.get() / 10_200.0 - 1.0).abs() < 1e-3, "{least:?}");
    plan(&[&format!("limits.rack_power={} W", least.get().ceil())]);
}

#[test]
fn a_product_of_unknown_size_is_refused_where_racks_are_limited() {
    let own = "hardware.nodes.mine={ gpu = \"h100\", gpus = 8, hb_bandwidth = \"450 GB/s\", \
               nics = 8, nic = \"ndr-400g\", power = \"10 kW\", price = \"$300k\" }";
    let refused = sized(&[own, "cluster.node=mine", "limits.racks=900"]).expect_err("unknown");
    assert!(refused.to_string().contains("hardware.nodes.mine.rack_units"), "{refused}");
}
