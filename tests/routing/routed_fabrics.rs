//! Fabrics that are timed on their cables, against a plain loop over their definitions: every member priced by
//! hand, its links loaded by a count of its own on the edge list, and the cheapest that holds.

use planner::compare::{Baseline, compare_baselines};
use planner::design::{Infeasible, Plan, RoutingReport, wiring};
use planner::fabric::{
    Blueprint, FabricGraph, FabricKind, FabricNode, FabricShape, Ratio, Request, Split,
    SwitchChoice, fabric_counts,
};
use planner::spec::{SpecText, read_scenario};
use planner::units::{Amount, Bandwidth};

use crate::support::scenario::design;

const SWITCH: f64 = 1000.0;
const END_400: f64 = 100.0;
const END_200: f64 = 60.0;

/// Boxes of eight GPUs with as many interfaces, one model of switch, a job that splits matrices inside boxes
/// and sums gradients along rails by rings, beside nothing.
fn spec(gpus: u32, ports: u32, card_ports: u32, fabric: &str, slowdown: f64) -> String {
    format!(
        r#"
[model]
preset = "llama3-8b"
[training]
global_batch = {gpus}
micro_batch = 1
[parallelism]
tensor = 8
pipeline = 1
context = 1
[framework]
overlap_data = false
[collectives]
all = "ring"
[cluster]
gpus = {gpus}
node = "box"
switches = "tiny"
max_planes = 1
fabric = "{fabric}"
[prices]
transceiver-400g = "${END_400}"
transceiver-200g = "${END_200}"
[hardware.nodes.box]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 8
nic = "card"
power = "10 kW"
price = "$300000"
[hardware.nics.card]
bandwidth = "400 Gb/s"
power = "10 W"
max_planes = {card_ports}
price = "$1000"
[hardware.switches.tiny]
ports = {ports}
port_speed = "400 Gb/s"
max_split = 2
power = "100 W"
price = "${SWITCH}"
[objective]
max_slowdown = {slowdown}
"#
    )
}

fn planned(text: &str) -> Result<Plan, Infeasible> {
    let scenario = read_scenario(&SpecText::new("spec.toml", text.to_owned()), &[]);
    design(&scenario.unwrap_or_else(|problems| panic!("{problems}")))
}

/// An edge list: which switches each NIC hangs on, and links between switches.
struct Edges {
    hosts: Vec<Vec<usize>>,
    links: Vec<(usize, usize, f64)>,
    switches: Vec<usize>,
    nodes: usize,
}

impl Edges {
    fn from_graph(graph: &FabricGraph) -> Self {
        let nodes: Vec<FabricNode> = graph.nodes().collect();
        let is_switch = |node: usize| matches!(nodes[node], FabricNode::Switch { .. });
        let mut hosts = vec![Vec::new(); graph.endpoint_nodes().len()];
        let mut links = Vec::new();
        for (low, high, cable) in graph.cables() {
            match graph.endpoint_nodes().iter().position(|index| index.index() == low) {
                Some(nic) => hosts[nic].push(high),
                None => links.push((low, high, f64::from(cable.links))),
            }
        }
        let switches = (0..nodes.len()).filter(|node| is_switch(*node)).collect();
        Self { hosts, links, switches, nodes: nodes.len() }
    }

    /// Hops of every node to the nearest of some.
    fn distances(&self, to: &[usize]) -> Vec<usize> {
        let mut far = vec![usize::MAX; self.nodes];
        to.iter().for_each(|node| far[*node] = 0);
        for _ in 0..self.nodes {
            let before = far.clone();
            for (a, b, _) in &self.links {
                for (x, y) in [(*a, *b), (*b, *a)] {
                    far[x] = far[x].min(before[y].saturating_add(1));
                }
            }
            if far == before {
                break;
            }
        }
        far
    }

    /// Puts a flow on its way from one node to those at distance 0, at every node evenly over the links that lead
    /// nearer; `back` where it comes from there. Loads are by link and direction.
    fn spread(&self, far: &[usize], from: usize, bytes: f64, back: bool, loads: &mut [[f64; 2]]) {
        let mut at = vec![0.0; self.nodes];
        at[from] = bytes;
        for distance in (1..=far[from]).rev() {
            for node in (0..self.nodes).filter(|node| far[*node] == distance) {
                let ends = |link: &(usize, usize, f64)| match node {
                    _ if link.0 == node => Some((link.1, 0)),
                    _ if link.1 == node => Some((link.0, 1)),
                    _ => None,
                };
                let nearer: Vec<(usize, usize, usize, f64)> = self
                    .links
                    .iter()
                    .enumerate()
                    .filter_map(|(at, link)| {
                        let (to, way) = ends(link)?;
                        (far[to] + 1 == distance).then_some((at, to, way, link.2))
                    })
                    .collect();
                let width: f64 = nearer.iter().map(|pair| pair.3).sum();
                for (link, to, way, links) in nearer {
                    let share = at[node] * links / width;
                    loads[link][if back { 1 - way } else { way }] += share;
                    at[to] += share;
                }
                at[node] = 0.0;
            }
        }
    }

    /// Bytes on links and on ports of NICs where a ring along every rail of `rails` sends a byte from box to box:
    /// on shortest ways, and by every switch alike often.
    fn rings(&self, rails: usize) -> [Vec<f64>; 2] {
        let count = self.hosts.len();
        let ports = self.hosts[0].len();
        [false, true].map(|around| {
            let mut loads = vec![[0.0; 2]; self.links.len()];
            let mut hosts = vec![[0.0; 2]; count * ports];
            for nic in 0..count {
                let other = (nic + rails) % count;
                let middles: Vec<Vec<usize>> = if around {
                    self.switches.iter().map(|index| vec![*index]).collect()
                } else {
                    vec![self.hosts[other].clone()]
                };
                // What hangs on the same switches takes no detour.
                let own = self.hosts[nic] == self.hosts[other];
                let middles = if own { vec![self.hosts[other].clone()] } else { middles };
                let each = 1.0 / middles.len() as f64;
                for middle in &middles {
                    let far = self.distances(middle);
                    let legs: &[(usize, bool)] = if around && !own {
                        &[(nic, false), (other, true)]
                    } else {
                        &[(nic, false)]
                    };
                    for (end, back) in legs {
                        let least =
                            self.hosts[*end].iter().map(|index| far[*index]).min().expect("a port");
                        let near: Vec<usize> =
                            (0..ports).filter(|at| far[self.hosts[*end][*at]] == least).collect();
                        let share = each / near.len() as f64;
                        for at in near {
                            hosts[end * ports + at][usize::from(*back)] += share;
                            self.spread(&far, self.hosts[*end][at], share, *back, &mut loads);
                        }
                    }
                    if legs.len() == 1 {
                        // The receiver's ports at which the shortest ways end, alike often.
                        let reached: Vec<usize> = (0..ports)
                            .filter(|at| {
                                let to = self.distances(&[self.hosts[other][*at]]);
                                let near = self.hosts[nic].iter().map(|index| to[*index]).min();
                                let all = self.distances(&self.hosts[other]);
                                near == self.hosts[nic].iter().map(|index| all[*index]).min()
                            })
                            .collect();
                        for at in &reached {
                            hosts[other * ports + at][1] += each / reached.len() as f64;
                        }
                    }
                }
            }
            // Every link has a port's rate, a part of the NIC's.
            let scale = ports as f64;
            let links = loads
                .iter()
                .zip(&self.links)
                .map(|(values, link)| [values[0] / link.2, values[1] / link.2]);
            links.chain(hosts).flatten().map(|load| load * scale).collect()
        })
    }

    /// The slowest link over what the NICs alone would take, with the best share of detours on a fine grid.
    fn over_nic(&self, rails: usize, detours: bool) -> f64 {
        const GRID: u32 = 20_000;
        let [shortest, around] = self.rings(rails);
        let slowest = |share: f64| {
            let each = shortest.iter().zip(&around);
            each.map(|(a, b)| a * (1.0 - share) + b * share).fold(0.0, f64::max)
        };
        if !detours {
            return slowest(0.0);
        }
        (0..=GRID).map(|at| slowest(f64::from(at) / f64::from(GRID))).fold(f64::INFINITY, f64::min)
    }
}

/// A member with its price by hand and what its slowest link takes.
struct Member {
    what: String,
    price: f64,
    over: f64,
}

fn request(kind: FabricKind, endpoints: u32, ports: u32) -> Request<'static> {
    let link = Bandwidth::from_gigabits(400.0);
    let plain = Request::new(kind, endpoints.into(), 8, SwitchChoice::Radix(ports), link);
    Request { all_optical: true, ..plain }
}

fn over(request: &Request<'_>, detours: bool) -> f64 {
    let graph = FabricGraph::new(request).expect("a member is wired");
    Edges::from_graph(&graph).over_nic(8, detours)
}

/// Every dragonfly by its definition (Kim et al., ISCA 2008): p NICs, a switches a group, h links of each to other
/// groups, g groups of at most a·h + 1, as few as hold the NICs.
fn dragonflies(nics: u32, ports: u32) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for p in 1..=ports {
        for a in 1..=ports {
            let g = nics.div_ceil(p * a);
            for h in 0..=ports {
                let fits = p + (a - 1) + h <= ports && (g == 1) == (h == 0) && g <= a * h + 1;
                if !fits || !seen.insert((a, g, h)) {
                    continue;
                }
                // A link has two ends: an odd number of ports leaves one dark.
                let global = if g * a * h % 2 == 1 { g * (a * h - 1) / 2 } else { g * a * h / 2 };
                let links = nics + g * a * (a - 1) / 2 + global;
                let price = SWITCH * f64::from(g * a) + 2.0 * END_400 * f64::from(links);
                let shape = FabricShape::new(&[a, h.max(1), g]);
                let over =
                    over(&Request { shape, ..request(FabricKind::Dragonfly, nics, ports) }, true);
                found.push(Member { what: format!("p={p} a={a} h={h} g={g}"), price, over });
            }
        }
    }
    found
}

/// Every ZCube of two rows: n switches of 2n ports or more, n² NICs or fewer.
fn zcubes(nics: u32, ports: u32) -> Vec<Member> {
    // Ports of half the rate: twice as many.
    let all = (1..=ports).filter(|n| n * n >= nics && 2 * n <= 2 * ports);
    all.map(|n| {
        let links = 2 * nics + n * n;
        let shape = FabricShape::new(&[n]);
        let over = over(&Request { shape, ..request(FabricKind::ZCube, nics, ports) }, true);
        let price = SWITCH * f64::from(2 * n) + 2.0 * END_200 * f64::from(links);
        Member { what: format!("n={n}"), price, over }
    })
    .collect()
}

/// Every Clos with so many uplinks of a leaf switch and, in three tiers, of a spine.
fn tapered(nics: u32, ports: u32) -> Vec<Member> {
    let mut found = Vec::new();
    for up in 1..=ports / 2 {
        for spine in 1..=ports / 2 {
            let share = Ratio::new(spine, ports - spine).expect("not over zero");
            let request = Request {
                split: Split::Fixed { down: ports - up, up },
                above_leafs: [share, Ratio::ONE],
                ..request(FabricKind::Clos, nics, ports)
            };
            let Ok(counts) = fabric_counts(&request) else { continue };
            let price =
                SWITCH * counts.switch_count() as f64 + 2.0 * END_400 * counts.link_count() as f64;
            found.push(Member {
                what: format!("u={up} s={spine}"),
                price,
                over: over(&request, false),
            });
        }
    }
    found
}

/// What a design's routing says of its slowest call.
fn routed(plan: &Plan) -> f64 {
    match plan.routing.as_ref() {
        Some(RoutingReport::Routed(step)) => {
            assert!(step.holds && step.on_cables);
            step.calls.iter().map(|call| call.over_nic).fold(0.0, f64::max)
        }
        other => panic!("{other:?}"),
    }
}

/// The design of each slowdown costs what one of the members does, its links take what they take on that one, and
/// no cheaper member has links as fast. Looser limits never cost more.
#[track_caller]
fn agrees(members: &[Member], read: impl Fn(f64) -> String, slowdowns: &[f64]) -> usize {
    let mut chosen = Vec::new();
    let mut last = f64::INFINITY;
    for slowdown in slowdowns {
        let plan = match planned(&read(*slowdown)) {
            Ok(plan) => plan,
            Err(Infeasible::Slow { .. } | Infeasible::Clash(_)) => continue,
            Err(other) => panic!("{slowdown}: {other}"),
        };
        assert!(plan.step.slowdown <= slowdown + 1e-9);
        let price = plan.cost.network_capex.get();
        let over = routed(&plan);
        let alike = |member: &&Member| {
            (member.price - price).abs() < 1e-6 && (member.over - over).abs() < 2e-3 * over
        };
        let own = members.iter().find(alike);
        assert!(
            own.is_some(),
            "{slowdown}: ${price}, x {over} is no member: {:?}",
            plan.level.member
        );
        for other in members.iter().filter(|member| member.price < price - 1e-6) {
            assert!(
                other.over > over * (1.0 - 2e-3),
                "{slowdown}: {} costs ${} and takes {}, not ${price} and {over}",
                other.what,
                other.price,
                other.over
            );
        }
        assert!(price <= last + 1e-6, "{slowdown}: ${price} after ${last}");
        last = price;
        // The printed share of any two halves is no more than a flow through the wired graph finds.
        let graph = wiring(&plan).expect("it is wired");
        let Some(Blueprint::Tree { request, .. }) = &plan.blueprint else { panic!("no blueprint") };
        let cut = graph
            .minimum_bisection(request)
            .expect("the request's own graph")
            .expect("a small fabric");
        assert!(
            cut.share >= plan.fabric.across_rails - 1e-9,
            "{} > {}",
            plan.fabric.across_rails,
            cut.share
        );
        assert_eq!(graph.take_census().links.iter().sum::<u64>(), plan.fabric.link_count());
        chosen.push(price);
    }
    chosen.dedup();
    chosen.len()
}

const SLOWDOWNS: [f64; 7] = [1.0, 1.005, 1.02, 1.05, 1.1, 1.3, 100.0];

#[test]
fn the_cheapest_dragonfly_of_all_definitions_is_chosen() {
    let mut chosen = 0;
    for (gpus, ports) in [(32, 10), (32, 8), (48, 9)] {
        let members = dragonflies(gpus, ports);
        assert!(members.len() > 8, "{gpus} {ports}");
        chosen +=
            agrees(&members, |slowdown| spec(gpus, ports, 1, "dragonfly", slowdown), &SLOWDOWNS);
    }
    assert!(chosen > 4, "limits choose among members: {chosen}");
}

#[test]
fn the_cheapest_zcube_of_all_sides_is_chosen() {
    for (gpus, ports) in [(32, 6), (64, 8), (48, 16)] {
        let members = zcubes(gpus, ports);
        agrees(&members, |slowdown| spec(gpus, ports, 2, "zcube", slowdown), &SLOWDOWNS);
    }
}

#[test]
fn the_cheapest_taper_of_a_clos_is_chosen() {
    let mut chosen = 0;
    for (gpus, ports) in [(64, 8), (96, 8), (64, 16)] {
        let members = tapered(gpus, ports);
        chosen +=
            agrees(&members, |slowdown| spec(gpus, ports, 1, "tapered-clos", slowdown), &SLOWDOWNS);
    }
    assert!(chosen > 4, "limits choose among members: {chosen}");
}

/// Interfaces of one port have no ZCube, switches of few ports no member, and a step that no member carries is
/// refused with what the fastest takes.
#[test]
fn what_can_not_be_built_or_is_too_slow_says_why() {
    let refused = |text: String| planned(&text).expect_err("there is no design");
    let ports = refused(spec(64, 16, 1, "zcube", 1.02));
    assert_eq!(ports, Infeasible::Ports { nic: "card".to_owned(), needs: 2 });
    let small = refused(spec(64, 4, 2, "zcube", 1.02));
    assert!(
        matches!(small, Infeasible::NoMember { family: "zcube", endpoints: 64, .. }),
        "{small}"
    );
    // What is said to do does: a limit that is moved so has a design.
    let slow = refused(spec(64, 8, 2, "zcube", 1.0));
    let Infeasible::Clash(moves) = &slow else { panic!("{slow}") };
    let [only] = &moves[..] else { panic!("{slow}") };
    let Amount::Number(needs) = only.needs else { panic!("{:?}", only.needs) };
    assert!(only.limit == "objective.max_slowdown" && needs > 1.0);
    planned(&spec(64, 8, 2, "zcube", needs)).expect("it would do");
}

/// A baseline is the fabric of a design of which the spec asks for that family, part by part: what either
/// report says of it the other does too.
#[test]
fn a_baseline_is_what_a_design_of_its_family_would_be() {
    let mut seen = 0;
    for (gpus, ports, card_ports) in [(64, 16, 1), (128, 32, 2), (256, 32, 2)] {
        for family in ["dragonfly", "zcube", "tapered-clos"] {
            let own = spec(gpus, ports, card_ports, "auto", 1.5);
            let own = own.replace("[objective]", "[limits]\nmax_oversubscription = 7\n[objective]");
            let source =
                |text: &str| SpecText::new("s", text.replace("\"auto\"", &format!("\"{family}\"")));
            let asked = read_scenario(&source(&own), &[]);
            let asked = asked.unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
            let scenario = read_scenario(&SpecText::new("s", own.clone()), &[]);
            let scenario = scenario.unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
            let baseline: Baseline = family.parse().expect("it is a baseline");
            let compared = compare_baselines(&scenario, &[baseline]).expect("there is a design");
            match design(&asked) {
                // The fastest is shown with the step that it has.
                Err(Infeasible::Slow { .. }) => {
                    let slow = compared.contenders.iter().map(|result| result.plan.step.slowdown);
                    assert!(slow.into_iter().all(|value| value > 1.5), "{family} {gpus}");
                }
                Err(reason) => assert_eq!(compared.missing, [baseline], "{reason}"),
                Ok(plan) => {
                    let found = &compared.contenders[0].plan;
                    assert_eq!(found.fabric, plan.fabric, "{family} {gpus}");
                    assert_eq!(found.bill, plan.bill, "{family} {gpus}");
                    assert_eq!(found.step.time, plan.step.time, "{family} {gpus}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 5, "{seen}");
}

/// `fabric = "any"` is the best of four designs, each of a spec that names its families; the others are beside
/// it, and it says which have none.
#[test]
fn any_family_is_the_best_of_all_by_name() {
    const EACH: [&str; 4] = ["auto", "tapered-clos", "zcube", "dragonfly"];
    // Machines of one GPU have no HB domain that forwards from rail to rail.
    let single = |text: String| {
        text.replace("gpus = 8\n", "gpus = 1\n")
            .replace("nics = 8\n", "nics = 1\n")
            .replace("tensor = 8\n", "tensor = 1\n")
    };
    let mut won = Vec::new();
    for (gpus, ports, card_ports) in [(64, 8, 1), (64, 16, 2), (128, 16, 1)] {
        for alone in [false, true] {
            let read = |family: &str| {
                let text = spec(gpus, ports, card_ports, family, 1.3);
                let text = format!("{text}minimize = \"capex\"\n");
                planned(&if alone { single(text) } else { text })
            };
            let all = EACH.map(|family| (family, read(family)));
            let least = all
                .iter()
                .filter_map(|(family, plan)| Some((*family, plan.as_ref().ok()?.cost.capex.get())));
            let least = least.reduce(|best, pair| if pair.1 < best.1 { pair } else { best });
            let (family, capex) = least.expect("one of them has a design");
            let any = read("any").expect("one of them has a design");
            assert_eq!(any.cost.capex.get(), capex, "{gpus} {ports} {alone}: {family}");
            let said =
                any.assumptions.iter().filter(|assumption| assumption.topic == "cluster.fabric");
            let said: String = said.map(|assumption| assumption.text.as_str()).collect();
            assert!(said.contains(&format!("{family} (this one)")), "{said}");
            for (name, plan) in &all {
                let none = said.contains(&format!("{name} (none: "));
                assert_eq!(none, plan.is_err(), "{name}: {said}");
                let beside = any.alternatives.iter().any(|row| row.name.starts_with(name));
                assert!(*name == family || *name == "auto" || beside == plan.is_ok(), "{name}");
            }
            // What is proven is so of all four.
            let each = all.iter().filter_map(|(_, plan)| plan.as_ref().ok());
            let bounds = each.clone().map(|plan| {
                let layouts = plan.solver.layouts.map_or(0.0, |proven| proven.gap);
                plan.cost.capex.get() * (1.0 - plan.solver.gap.max(layouts))
            });
            let least = bounds.fold(f64::INFINITY, f64::min).min(capex);
            let shown = any.solver.layouts.map_or(0.0, |proven| proven.gap).max(any.solver.gap);
            assert!(capex * (1.0 - shown) <= least * (1.0 + 1e-9), "{shown} {least} {capex}");
            assert_eq!(any.solver.candidates, each.map(|plan| plan.solver.candidates).sum::<u64>());
            won.push(family);
        }
    }
    assert!(won.contains(&"auto") && won.iter().any(|name| *name != "auto"), "{won:?}");
}
