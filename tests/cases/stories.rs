//! The cases: what is asked, what the figures have to be, what they say.

use std::thread;

use planner::cost::Role;
use planner::design::{ClusterPlan, Infeasible, LimitWorth, Plan, scenario_of_part_or_stage};
use planner::fabric::FabricKind;
use planner::units::{Amount, Usd};

use super::page::{Story, comparison, count, money, network, percent, table};
use super::{beside, edited, figure, plan, planned, refused, scenario};

/// Tells the story of a spec.
type Tell = fn(&'static str) -> Story;

/// Ready specs, and what is told of each.
pub(crate) const STORIES: [(&str, Tell); 12] = [
    ("racks-rail-only", rail_only_wins),
    ("clos-as-cheap", clos_as_cheap),
    ("tenants-need-a-spine", tenants),
    ("partial-spine-in-free-ports", partial_spine),
    ("stock-beside-new", stock_beside_new),
    ("stock-as-leafs", stock_as_leafs),
    ("power-limits-stock", power),
    ("stock-not-worth-using", owned_is_not_free),
    ("racks-against-machines", racks_against_machines),
    ("two-products", two_products),
    ("two-stages", two_stages),
    ("zcube-16k", zcube),
];

/// Every story, worked out side by side.
pub(crate) fn tell_stories() -> Vec<Story> {
    thread::scope(|scope| {
        let told = STORIES.map(|(spec, tell)| scope.spawn(move || tell(spec)));
        told.map(|story| story.join().expect("a story")).into()
    })
}

fn rail_only_wins(spec: &'static str) -> Story {
    let found = beside(spec, &[], &["clos", "clos@7:1"]);
    figure(&found.design, 72, 16.67);
    figure(&found.contenders[0].plan, 362, 53.58);
    figure(&found.contenders[2].plan, 99, 19.65);
    let against = |place: usize| found.contenders[place].against.network_capex_share;
    let share = |place: usize| percent(against(place).expect("it costs something"));
    let seven = found.contenders[2].plan.step.time.total_time();
    let slower = seven / found.design.step.time.total_time() - 1.0;
    let planes = beside(spec, &["cluster.max_planes=2"], &["multi-plane"]);
    let two = &planes.contenders[0];
    assert_eq!(two.plan.fabric.switch_count(), 272);
    let larger = ["cluster.gpus=9288", "parallelism.data=129", "training.global_batch=2064"];
    let larger = plan(spec, &[&larger[..], &["limits.within_rail=1"]].concat());
    let jump = (larger.cost.network_capex - found.design.cost.network_capex).get() / 9288.0;
    Story {
        title: "Where separate rails win outright",
        spec,
        parts: vec![
            "128 racks of 72 GPUs, one job of whole racks. A rail has 128 endpoints, which are \
             exactly the ports of one switch: 72 rails, 72 switches, one tier. A full-bisection \
             Clos over 9,216 endpoints takes three."
                .into(),
            comparison(&found),
            format!(
                "The rails save {} of the Clos of the same switch. \"Nobody buys a non-blocking \
                 Clos at this size\": against a 7:1 Clos they save {}, and the step stays \
                 short: that Clos takes {} longer, as its leaf switches block and a rail does not. With two planes the best full-bisection Clos falls to two tiers \
                 and costs {}, the rails {}: {} less still.",
                share(0),
                share(2),
                percent(slower),
                network(&two.plan),
                network(&planes.design),
                percent(two.against.network_capex_share.expect("it costs something"))
            ),
            format!(
                "What binds is the radix. The 129th rack makes a rail two tiers deep: where rails \
                 may not block, the network goes from {} to {}, ${} a GPU: 129 endpoints fill two \
                 leaf switches and one port of a third. Leave headroom, or plan for planes.",
                network(&found.design),
                network(&larger),
                count(jump.round() as u64)
            ),
        ],
    }
}

fn clos_as_cheap(spec: &'static str) -> Story {
    let found = beside(spec, &[], &["clos", "rail-only"]);
    figure(&found.design, 96, 8.16);
    assert_eq!(found.design.fabric.kind, FabricKind::RailOptimized, "of equals the regular one");
    let rails = &found.contenders.last().expect("rail-only is there").plan;
    figure(rails, 96, 8.16);
    let sentence = found.attribution.as_ref().expect("one model").to_string();
    assert!(sentence.contains("rail-only saves nothing by itself here"), "{sentence}");
    let blocking = plan(spec, &["limits.within_rail=0"]);
    // No module on sale splits so that a NIC has a port in each of two planes: counted by end.
    let changes = [
        "cluster.switches=sn5610",
        "cluster.max_planes=2",
        "prices.transceiver-200g=$329.5",
        "cluster.links=by-end",
    ];
    let planes = plan(spec, &changes);
    figure(&planes, 16, 3.53);
    Story {
        title: "Where a Clos is as cheap",
        spec,
        parts: vec![
            "2,048 GPUs in machines of 8, 64-port switches, no rail may block. A rail of 256 needs \
             two tiers, and so does the whole."
                .into(),
            comparison(&found),
            format!(
                "In words: {sentence}. At the same price the planner takes the Clos, which carries \
                 any traffic to any GPU without forwarding: ties go to more bisection."
            ),
            format!(
                "Two ways out. A dense job does not need rails that never block: without that rule \
                 the design is {} at {}. And with 128-port switches in two planes a rail of 256 \
                 fits one switch: {} switches, {} (`cluster.links = \"by-end\"`, a 200G transceiver at \
                 half the price of a 400G one).",
                blocking.fabric.kind,
                network(&blocking),
                planes.fabric.switch_count(),
                network(&planes)
            ),
        ],
    }
}

fn tenants(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    assert_ne!(design.fabric.kind, FabricKind::RailOnly);
    assert!(design.fabric.across_rails >= 0.125);
    let alone = planned(&edited(spec, "unforwardable = 0.125", "unforwardable = 0.0"));
    assert_eq!(alone.fabric.kind, FabricKind::RailOnly);
    let reason = refused(&scenario(spec, &["cluster.fabric=rail-only"]));
    let single = planned(&edited(spec, "unforwardable = 0.125", "unforwardable = 0.875"));
    assert!(single.fabric.across_rails >= 0.875);
    let rows = [
        ("whole machines, or the same GPUs of each", &alone),
        ("**half machines on unlike rails**", &design),
        ("single GPUs anywhere", &single),
    ];
    Story {
        title: "Tenants on unlike rails need a spine",
        spec,
        parts: vec![
            "Rail-only relies on a GPU of the same job inside the machine to pass a message on to \
             the right rail. A tenant who owns GPUs 0 to 3 of one machine and 4 to 7 of the next \
             has none. A flow calculation on six machines of 8 says what share of the NICs' \
             bandwidth a spine then needs for a full-rate all-to-all: 1/8 for halves of machines, \
             7/8 for single GPUs, nothing where tenants get whole machines or the same GPUs of \
             each."
                .into(),
            table(&rows),
            format!(
                "Asked for rail-only all the same, the planner refuses: \"{reason}\". The cheaper \
                 answer is a rule for the scheduler: whole machines, or the same indices in each, \
                 saves {}.",
                money(design.cost.network_capex - alone.cost.network_capex)
            ),
        ],
    }
}

fn partial_spine(spec: &'static str) -> Story {
    let found = beside(spec, &[], &["clos", "clos@7:1"]);
    figure(&found.design, 43, 8.59);
    figure(&found.contenders[0].plan, 129, 17.32);
    figure(&found.contenders[2].plan, 44, 8.75);
    let alone = planned(&edited(spec, "unforwardable = 0.12", "unforwardable = 0.0"));
    figure(&alone, 36, 7.63);
    let quarter = planned(&edited(spec, "unforwardable = 0.12", "unforwardable = 0.25"));
    figure(&quarter, 87, 11.56);
    Story {
        title: "A partial spine in ports that are bought already",
        spec,
        parts: vec![
            "57 racks of 72. 80 % of the time one job pre-trains on everything, 20 % belongs to \
             fine-tuning jobs of half racks, of whose bytes 12 % (an assumption) have no GPU to \
             forward them."
                .into(),
            comparison(&found),
            format!(
                "Two rails of 57 share a 128-port switch and leave 14 ports: an eighth of what goes \
                 down, and 7 spines divide 14. The partial spine costs {} more than separate rails \
                 ({}), which the tuning jobs can't use. The next step is dear: a quarter across \
                 rails breaks up the pairs and costs {}, which is the integer effect.",
                money(found.design.cost.network_capex - alone.cost.network_capex),
                network(&alone),
                network(&quarter)
            ),
            "\"That is just an 8:1 rail-optimized fabric\": yes, a partial spine and an \
             oversubscribed rail-optimized Clos are one object. The planner names the 8:1 from the \
             demand and finds it in the ports."
                .into(),
        ],
    }
}

fn stock_beside_new(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    figure(&design, 60, 6.40);
    let new = plan(spec, &["inventory.q64=0"]);
    figure(&new, 36, 7.63);
    let old = plan(spec, &["cluster.switches=q64"]);
    figure(&old, 72, 6.58);
    Story {
        title: "Stock and new switches together beat either",
        spec,
        parts: vec![
            "57 racks of 72, and 48 64-port switches in store. An owned switch carries one rail, a \
             new 128-port switch two."
                .into(),
            table(&[("**both**", &design), ("all new", &new), ("64 ports only, 24 bought", &old)]),
            "No rule of thumb finds the first row: it is neither one model everywhere nor one \
             model a layer."
                .into(),
        ],
    }
}

fn stock_as_leafs(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    figure(&design, 414, 58.42);
    let new = plan(spec, &["inventory.q64=0"]);
    figure(&new, 384, 59.98);
    let pure = plan(spec, &["limits.models_per_rail=1"]);
    let gap = pure.cost.network_capex - design.cost.network_capex;
    assert!((gap.get() / 1e6 - 0.24).abs() < 0.01, "{gap:?}");
    Story {
        title: "Old switches as leaf switches of mixed rails",
        spec,
        parts: vec![
            "16,384 GPUs in machines of 8, rails that never block, 60 64-port switches in store."
                .into(),
            table(&[
                ("**every old switch a leaf**", &design),
                ("one model in a rail", &pure),
                ("nothing owned", &new),
            ]),
            format!(
                "Two models in one rail are a nuisance to run. `limits.models_per_rail = 1` says \
                 no to it, and costs {}.",
                money(gap)
            ),
        ],
    }
}

fn power(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    let free = plan(spec, &["limits.power=30 MW"]);
    let none = plan(spec, &["inventory.q64=0"]);
    // The other generator found $58.68M and $55.51M: its spines were of the larger model only.
    // Those are of a transceiver at each end, these of modules and cables.
    assert!((millions(&design) - 55.56).abs() < 0.0051, "{}", network(&design));
    assert!((millions(&free) - 52.18).abs() < 0.0051, "{}", network(&free));
    figure(&none, 384, 59.98);
    let bounds = design.solver.binding.iter().filter(|limit| limit.limit == "limits.power");
    let worths: Vec<(f64, Usd)> = bounds
        .map(|limit| match &limit.worth {
            LimitWorth::Moved { needs: Some(needs), saved: Amount::Money(saved), .. } => {
                (needs.scalar() / 1e3 - 21_789.6, *saved)
            }
            other => panic!("{other:?} says what it needs"),
        })
        .collect();
    let [(little, least), (enough, most)] = worths[..] else { panic!("{worths:?}") };
    let all = design.cost.capex - free.cost.capex;
    assert!((most - all).get().abs() < 0.01, "{most:?} of {all:?}");
    let tight = refused(&scenario(spec, &["limits.power=21.7 MW"]));
    let Infeasible::Clash(moves) = &tight else { panic!("{tight}") };
    let needs = moves.iter().find_map(|limit_move| match limit_move.needs {
        Amount::Power(needs) => Some(needs),
        _ => None,
    });
    let needs = needs.unwrap_or_else(|| panic!("{tight}"));
    // 2,048 machines of 10.2 kW and the network that draws least, 852.5 kW.
    assert!((needs.get() / 1e3 - 20_889.6 - 852.5).abs() < 0.1, "{needs:?}");
    Story {
        title: "A power limit decides how much stock is used",
        spec,
        parts: vec![
            "The same hall with 300 old switches in store and 900 kW for the network. An old switch \
             draws as much as a new one with twice its ports."
                .into(),
            table(&[
                ("**900 kW**", &design),
                ("power without limit", &free),
                ("nothing owned", &none),
            ]),
            format!(
                "The limit costs {}. With {little:.1} kW more of the hall's power the first switches \
                 change, which saves {}; {enough:.1} kW more are enough for all the stock that is \
                 worth using, and save {}.",
                money(design.cost.network_capex - free.cost.network_capex),
                money(least),
                money(most)
            ),
            format!(
                "Below {:.0} kW there is no network whose rails never block. The planner says so, \
                 and how far which limit would have to move: \"{tight}\".",
                needs.get() / 1e3 - 20_889.6
            ),
        ],
    }
}

fn owned_is_not_free(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    figure(&design, 8, 1.70);
    let owned: u64 = design.bill.iter().map(|line| line.owned).sum();
    assert_eq!(owned, 0, "nothing of the stock is used");
    let forced = plan(spec, &["cluster.switches=q64"]);
    figure(&forced, 48, 2.50);
    Story {
        title: "Owned is not free",
        spec,
        parts: vec![
            "1,024 GPUs in machines of 8, 300 64-port switches in store, and the cheapest network \
             buys 8 new ones."
                .into(),
            table(&[("**8 new switches**", &design), ("48 of the owned", &forced)]),
            format!(
                "A rail of 128 fits one new switch. Of owned switches it takes two tiers: 1,024 \
                 more links, each with two transceivers. Using what is paid for costs {} more. \
                 (Transceivers in store change that: put them into `[inventory]` too.)",
                money(forced.cost.network_capex - design.cost.network_capex)
            ),
        ],
    }
}

fn racks_against_machines(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    let machines = plan(spec, &["cluster.node=hgx-b200"]);
    let racks = plan(spec, &["cluster.node=gb200-nvl72"]);
    let each = |plan: &Plan| plan.cost.usd_per_million_tokens.expect("it trains").get();
    let least = each(&machines).min(each(&racks));
    assert!((each(&design) / least - 1.0).abs() < 1e-9, "the better of the two");
    let dense = ["model.preset=llama3-405b", "training.precision=bf16", "parallelism.expert=1"];
    let dense = [&dense[..], &["parallelism.tensor=8", "parallelism.data=16"]].concat();
    let dense =
        [&dense[..], &["training.global_batch=2048", "training.recompute=selective"]].concat();
    let on = |node: &'static str| plan(spec, &[&dense[..], &[node]].concat());
    let (dense_machines, dense_racks) =
        (on("cluster.node=hgx-b200"), on("cluster.node=gb200-nvl72"));
    let row = |name: &str, plan: &Plan| {
        format!(
            "| {name} | {} | {:.2} s | {} | {} | ${:.3} |\n",
            count(
                (u64::from(plan.nodes.domains) + plan.failures.year.standby.domains)
                    * u64::from(plan.nodes.node.gpus)
            ),
            plan.step.time.total_time().get(),
            network(plan),
            money(plan.cost.capex),
            each(plan)
        )
    };
    let rows: String = [
        row("experts, machines of 8", &machines),
        row("experts, racks of 72", &racks),
        row("dense, machines of 8", &dense_machines),
        row("dense, racks of 72", &dense_racks),
    ]
    .concat();
    let head = "| job and product | GPUs bought | step | network | cluster | per million tokens |\n\
                |---|---|---|---|---|---|\n";
    let change = |racks: &Plan, machines: &Plan| {
        let change = 100.0 * (each(racks) / each(machines) - 1.0);
        format!(
            "{:.0} % {} per token",
            change.abs(),
            if change < 0.0 { "cheaper" } else { "more expensive" }
        )
    };
    Story {
        title: "Racks of 72 against machines of 8",
        spec,
        parts: vec![
            "2,048 GPUs of one generation, at one price a GPU. A mixture of experts exchanges tokens among 64 GPUs: \
             inside one rack, or across eight machines. A dense model keeps its tensor parallelism \
             inside 8 GPUs either way."
                .into(),
            format!("{head}{rows}"),
            format!(
                "With experts the racks are {}, for the dense model {}. Racks are bought whole, and \
                 groups of 64 leave 8 of 72 GPUs idle; those are in the price, and so are spare \
                 machines and racks: {} and {} of experts, {} and {} of the dense model. A broken GPU takes its \
                 tray out of a rack, whose place one of the idle trays takes.",
                change(&racks, &machines),
                change(&dense_racks, &dense_machines),
                machines.failures.year.standby.domains,
                racks.failures.year.standby.domains,
                dense_machines.failures.year.standby.domains,
                dense_racks.failures.year.standby.domains,
            ),
            drain(),
            "The deciding input is how much of the exchange hides under compute \
             (`framework.overlap_expert`), not the price of the network: print it before you argue."
                .into(),
        ],
    }
}

fn two_products(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    let row = |name: &str, plan: &Plan| {
        format!(
            "| {name} | {} | {} | {:.2} s | {} | {} |\n",
            plan.nodes.node.name,
            plan.fabric.switch_count(),
            plan.step.time.total_time().get(),
            network(plan),
            money(plan.cost.capex)
        )
    };
    let rows: String =
        design.part_plans().iter().map(|part| row(&part.name.to_string(), &part.plan)).collect();
    let products: Vec<&str> =
        design.part_plans().iter().map(|part| part.plan.nodes.node.name.as_str()).collect();
    assert_eq!(products, ["gb200-nvl72", "hgx-b200"]);
    let bought = plan(spec, &["inventory.sn5610=0"]);
    let saved = bought.cost.capex - design.cost.capex;
    let owned: u64 = design.bill.iter().map(|line| line.owned).sum();
    assert!(saved > Usd::ZERO && owned <= 24, "{saved:?} with {owned}");
    let racks = design
        .alternatives
        .iter()
        .find(|alternative| alternative.name.matches("gb200-nvl72").count() == 2)
        .expect("racks for both are an alternative");
    assert!(racks.capex_change > Usd::ZERO);
    let slow = planned(&edited(spec, "step_time = \"15 s\"", "step_time = \"40 s\""));
    assert!(slow.part_plans().iter().all(|part| part.plan.nodes.node.name == "hgx-b200"));
    let head = "| workload | product | switches | step | network | capex |\n\
                |---|---|---|---|---|---|\n";
    Story {
        title: "Two products in one cluster",
        spec,
        parts: vec![
            "Two teams, 2,048 GPUs each, one hall and one store of switches. The team with experts \
             needs a step of 15 s; the dense one takes what is cheapest. Each workload has GPUs of \
             its own (`gpus` in its table), and the planner chooses the product of each part and \
             which of them gets the 24 owned switches."
                .into(),
            format!("{head}{rows}"),
            format!(
                "One bill: {}, of which {} network; {owned} of the owned switches are used, which \
                 saves {}. Racks for both would cost {} more. If the experts' step may take 40 s, \
                 machines of 8 do for both: {} less.",
                money(design.cost.capex),
                network(&design),
                money(saved),
                money(racks.capex_change),
                money(design.cost.capex - slow.cost.capex)
            ),
        ],
    }
}

fn two_stages(spec: &'static str) -> Story {
    let design = plan(spec, &[]);
    let growth = design.growth.expect("it grows");
    let row = |stage: &ClusterPlan| {
        let tier = &stage.plan.fabric.tiers[0];
        let line = stage.plan.bill.iter().find(|line| line.part == tier.model);
        let bought = line.map_or(0, |line| line.bought_count());
        format!(
            "| {} | {} | {} {} | {bought} | {} | {} |\n",
            stage.name.start_year(),
            count(stage.plan.nodes.gpus.into()),
            tier.count,
            tier.model,
            network(&stage.plan),
            money(stage.plan.cost.capex)
        )
    };
    let rows: String = design.clusters.iter().map(row).collect();
    let small = planned(
        &scenario_of_part_or_stage(&scenario(spec, &[]), "1").expect("there is a first stage"),
    );
    figure(&small, 8, 0.94);
    figure(&design.clusters[0].plan, 2, 1.08);
    let apart = growth.one_by_one.expect("each stage can be built by itself");
    let at_once = growth.at_once.expect("capex is minimised");
    let gained = |other: Usd| money(other - growth.present_value);
    assert!(apart > growth.present_value && at_once > apart);
    let head =
        "| year | GPUs | switches | bought then | network | capex |\n|---|---|---|---|---|---|\n";
    Story {
        title: "What to buy first when the cluster will grow",
        spec,
        parts: vec![
            "512 GPUs now, 2,048 in a year and a half, when parts cost a tenth less; money loses 8 % \
             of its value a year. Machines and switches of the first stage stay (`[[stage]]`), and one \
             program sizes both stages."
                .into(),
            format!("{head}{rows}"),
            format!(
                "By itself the first stage takes {} small switches for {}, {} less than here. But the \
                 second wants one large switch a rail, and has no use for small ones: planned one by \
                 one, the stages cost {} more (today's value). Whoever buys all of it at once pays {} \
                 more, most of it for machines that wait.",
                small.fabric.switch_count(),
                network(&small),
                money(design.clusters[0].plan.cost.network_capex - small.cost.network_capex),
                gained(apart),
                gained(at_once)
            ),
        ],
    }
}

/// What a product costs that is drained whole for one broken GPU, at 16,384 GPUs.
fn drain() -> String {
    let standby = |node: &str, tray: &str| {
        // One rate for all of a machine: 10.6 % of the GPUs a year.
        let rates = [
            "failures.gpu=0.106",
            "failures.memory=0",
            "failures.host=0",
            "failures.fill_rate=0.99",
        ];
        let changes = [&[node, tray, "cluster.max_planes=2"][..], &rates[..]].concat();
        let plan = plan("zcube-16k", &changes);
        let machines = plan.bill.iter().find(|line| line.role == Role::Node).expect("bought");
        let unit = machines.unit.as_ref().expect("it has a price").amount;
        let standby = plan.failures.year.standby.domains;
        (standby, u64::from(plan.nodes.node.gpus), unit * standby as f64)
    };
    let whole = "hardware.nodes.gb200-nvl72.tray=72";
    let (machines, of_8, small) = standby("cluster.node=dgx-h100", whole);
    let (racks, of_72, large) = standby("cluster.node=gb200-nvl72", whole);
    let (by_tray, _, _) = standby("cluster.node=gb200-nvl72", "hardware.nodes.gb200-nvl72.tray=4");
    assert_eq!((of_8, of_72), (8, 72));
    // The 99th percentile of a Poisson distribution of mean 16,384 · 0.106 / 365.25 = 4.75 is 10.
    assert_eq!((machines, racks), (10, 10));
    // At $3.1M a rack.
    assert!((large.get() / 1e6 - 31.0).abs() < 0.01, "{large:?}");
    format!(
        "At 16,384 GPUs a day's repair leaves so many broken at once that {racks} spare \
         products are needed for 99 % of the time, where one broken GPU takes all of it: {} GPUs in machines of 8, {}; {} in racks of \
         72 (`{whole}`), {}. That is about what the racks save on the network there. A rack whose trays are swapped \
         alone does not pay it: with the trays that groups of 64 leave idle, {by_tray} spare racks are needed.",
        count(machines * of_8),
        money(small),
        count(racks * of_72),
        money(large)
    )
}

fn zcube(spec: &'static str) -> Story {
    let found = beside(spec, &[], &["clos", "rail-only", "clos@7:1", "zcube"]);
    let name = |kind: FabricKind| {
        let mut all = found.contenders.iter().filter(|result| result.plan.fabric.kind == kind);
        &all.next().unwrap_or_else(|| panic!("no {kind}")).plan
    };
    let (clos, rails) = (name(FabricKind::Clos), name(FabricKind::RailOnly));
    figure(clos, 640, 92.69);
    figure(rails, 384, 59.98);
    let cube = name(FabricKind::ZCube);
    assert_eq!(cube.fabric.switch_count(), 256);
    let saved = |cluster_plan: &Plan, than: &Plan| {
        1.0 - cluster_plan.cost.network_capex / than.cost.network_capex
    };
    let claimed = saved(cube, rails);
    assert!((0.20..0.26).contains(&claimed), "{claimed}");
    let nics = |plan: &Plan| plan.cost.network_capex + Usd::from_f64(1499.0) * 16_384.0;
    let with_nics = 1.0 - nics(cube) / nics(rails);
    assert!((0.15..=0.26).contains(&with_nics), "{with_nics}");
    let design = &found.design;
    assert!(design.cost.network_capex < rails.cost.network_capex * 0.6);
    let gap: Usd = cube.cost.network_capex - design.cost.network_capex;
    let racks = [
        "cluster.node=gb200-nvl72",
        "cluster.max_planes=2",
        "cluster.fabric=rail-only",
        "limits.within_rail=1",
        // Groups of 16, as with context 2, leave as many of 72 GPUs idle as the pipelines do.
        "parallelism.context=1",
        "parallelism.data=128",
    ];
    let racks = plan(spec, &racks);
    figure(&racks, 144, 31.78);
    assert_eq!((racks.fabric.planes, racks.fabric.tier_count()), (2, 1));
    let under = 1.0 - racks.cost.network_capex / cube.cost.network_capex;
    let against = |gap: Usd| {
        let size = money(if gap < Usd::ZERO { Usd::ZERO - gap } else { gap });
        format!("{size} {}", if gap < Usd::ZERO { "more" } else { "less" })
    };
    Story {
        title: "ZCube against rail-only at 16,384 GPUs",
        spec,
        parts: vec![
            "Yan et al. (From ATOP to ZCube, SIGCOMM 2025) claim that ZCube, two ports a GPU and no \
             spine, saves 26 to 46 % of the network. Machines of 8, 1 plane elsewhere. ZCube's \
             16,384 links between switches are bought as all others are; the paper has them of copper, \
             which would save their transceivers."
                .into(),
            comparison(&found),
            format!(
                "Against rails that never block ZCube costs {} less, short of the claim, as modules and cables \
                 are bought; with NICs counted {} less. And a dense job does not need such rails: oversubscribed at most 7:1, for a \
                 step at most 2 % longer, rail-only costs {} than ZCube.",
                percent(claimed),
                percent(with_nics),
                against(gap)
            ),
            format!(
                "With racks of 72 on the same switches, two planes of 200G make every rail one tier \
                 that never blocks: {} switches, {}, {} under ZCube. The racks themselves \
                 cost more than that, and their GPUs are others: compare per token.",
                racks.fabric.switch_count(),
                network(&racks),
                percent(under)
            ),
            "ZCube keeps one thing that oversubscribed rails lack: a uniform all-to-all at full rate \
             without forwarding. Experts or tenants on machines of 8: look at ZCube or two planes; \
             dense training: oversubscribed rails, and a scheduler that fills leaf switches in rank order."
                .into(),
        ],
    }
}

fn millions(plan: &Plan) -> f64 {
    plan.cost.network_capex.get() / 1e6
}
