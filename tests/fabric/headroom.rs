//! Room to grow, held against the fabric itself: the domains that are said to fit can be counted on
//! as many tiers, and one more can't; on free ports the leafs stay as many.

use planner::design::Plan;
use planner::fabric::{
    Counts, FabricKind, FabricProblem, Request, Split, SwitchChoice, TierName, tree_counts,
};
use planner::spec::{Override, SpecText, read_scenario};

use crate::support::scenario::design;

/// Servers of eight GPUs on switches of so few ports that four tiers are soon needed.
const SPEC: &str = "
model = { preset = \"llama3-8b\" }
training = { global_batch = 8192, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 8, zero = 1 }
cluster = { node = \"dgx-h100\", switches = [\"small\"], max_planes = 1 }
objective = { max_slowdown = 100.0 }
hardware = { switches = { small = { ports = 16, port_speed = \"400 Gb/s\", power = \"100 W\", price = \"$1k\" } } }
";

fn planned(gpus: u32, fabric: &str) -> Plan {
    let changes = [format!("cluster.gpus={gpus}"), format!("cluster.fabric={fabric}")];
    let changes = changes.map(Override::new);
    let scenario = read_scenario(&SpecText::new("small.toml", SPEC), &changes)
        .unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    design(&scenario).unwrap_or_else(|reason| panic!("{gpus} {fabric}: {reason}"))
}

/// The plan's fabric for so many domains, on as many tiers and with leafs that are divided alike.
fn grown(plan: &Plan, domains: u64) -> Result<Counts, FabricProblem> {
    let counts = &plan.fabric;
    let leaf = &counts.tiers[0];
    let endpoints = domains * u64::from(plan.nodes.node.nics);
    let switch = SwitchChoice::Radix(leaf.radix);
    let request = Request::new(counts.kind, endpoints, counts.rails, switch, counts.link);
    let split = Split::Fixed { down: leaf.down, up: leaf.up };
    let tiers = if counts.tiers.len() > 1 { request.with_split(split) } else { request };
    tree_counts(&Request { tiers: Some(counts.tiers.len() as u32), ..tiers })
}

#[track_caller]
fn case(gpus: u32, fabric: &str, kind: FabricKind, tiers: usize) {
    let plan = planned(gpus, fabric);
    let counts = &plan.fabric;
    assert_eq!((counts.kind, counts.tiers.len()), (kind, tiers), "{counts:?}");
    let room = plan.headroom.expect("it is a tree");
    let (size, domains) = (u64::from(plan.nodes.node.gpus), u64::from(plan.nodes.domains));
    let most = domains + room.before_another_tier / size;
    assert!(grown(&plan, most).is_ok(), "{room:?}: {:?}", grown(&plan, most));
    assert!(grown(&plan, most + 1).is_err(), "{room:?}");
    let leafs =
        |domains| grown(&plan, domains).expect("it was counted").switches_in_tier(TierName::Leaf);
    let free = domains + room.on_free_ports / size;
    assert_eq!(leafs(free), leafs(domains), "{room:?}");
    assert!(free == most || leafs(free + 1) > leafs(domains), "{room:?}");
}

#[test]
fn as_many_domains_fit_as_are_said_and_not_one_more() {
    case(96, "rail-only", FabricKind::RailOnly, 1);
    case(768, "rail-only", FabricKind::RailOnly, 2);
    case(6144, "rail-only", FabricKind::RailOnly, 3);
    case(64, "rail-optimized", FabricKind::RailOptimized, 2);
    case(64, "clos", FabricKind::Clos, 2);
    case(768, "rail-optimized", FabricKind::RailOptimized, 3);
    case(768, "clos", FabricKind::Clos, 3);
    case(6144, "clos", FabricKind::Clos, 4);
}
