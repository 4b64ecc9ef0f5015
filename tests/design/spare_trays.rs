//! Trays of a domain that hold no rank: by formula, and by trays that fail and come back one by one.

use planner::design::Plan;
use planner::spec::{SpecText, read_scenario};

use crate::design::reliability::Chance;
use crate::support::scenario::design;

/// 1,024 GPUs on racks of 18 trays of four GPUs. Groups of 64 that stay together use 16 trays.
fn plan(more: &str) -> Plan {
    let text = format!(
        "[model]\npreset = \"llama3-70b\"\n\
         [training]\nglobal_batch = 256\nmicro_batch = 1\ntokens = 15e12\n\
         [cluster]\ngpus = 1024\nnode = \"gb200-nvl72\"\n{more}"
    );
    let scenario =
        read_scenario(&SpecText::new("racks.toml", text), &[]).expect("the spec is sound");
    design(&scenario).expect("a design")
}

/// Layout of groups that take 64 GPUs together.
const WIDE: &str = "[parallelism]\ntensor = 8\ncontext = 8\n";

/// A year of one domain whose trays fail at a rate (a day) while they work and are out for a day: faults that find
/// no spare tray, and days with more than `spare` out.
fn lived(trays: usize, spare: usize, rate: f64, days: f64) -> (u64, f64) {
    let mut chance = Chance(7);
    let mut events: Vec<(f64, bool)> = Vec::new();
    for _ in 0..trays {
        let mut now = chance.wait(rate);
        while now < days {
            events.extend([(now, true), (now + 1.0, false)]);
            now += 1.0 + chance.wait(rate);
        }
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut out, mut short, mut since, mut time) = (0, 0, 0.0, 0.0);
    for (now, fails) in events {
        if out > spare {
            time += now - since;
        }
        if fails {
            short += u64::from(out >= spare);
            out += 1;
        } else {
            out -= 1;
        }
        since = now;
    }
    (short, time)
}

#[test]
fn spare_trays_suffice_as_often_as_trays_one_by_one_say() {
    // Two failures a year and GPU: of 18 trays some are out every third day.
    let failures = "[failures]\ngpu = 2.0\nmemory = 0.0\nhost = 0.0\nsoftware = 0.0\nnic = 0.0\n\
                    link = 0.0\nswitch = 0.0\nstandby = 2\n";
    let plan = plan(&format!("{WIDE}{failures}"));
    assert_eq!((plan.nodes.used, plan.nodes.domains, plan.failures.spare_trays), (64, 16, 2));
    let part = |name: &str| {
        let mut all = plan.failures.year.faults.iter();
        all.find(|year| year.fault.part == name).expect("a row of its own")
    };
    let (replaced, short) = (part("GPU"), part("GPU, no spare tray"));
    let all = replaced.fault.rate_of_any().events() + short.fault.rate_of_any().events();
    assert!((all - 2048.0).abs() < 1e-6, "no fault is lost: {all}");
    let years = 6_000.0;
    let (events, time) = lived(18, 2, 2.0 * 4.0 / 365.25, years * 365.25);
    let (events, time) = (16.0 * events as f64 / years, 16.0 * time / (years * 365.25));
    let formula = short.fault.rate_of_any().events();
    assert!((formula / events - 1.0).abs() < 0.04, "{formula} a year, lived {events}");
    let broken = plan.failures.year.broken;
    assert!((broken / time - 1.0).abs() < 0.04, "{broken} domains out, lived {time}");
}

#[test]
fn who_leaves_no_tray_has_none_to_spare() {
    let wide = plan(WIDE);
    let none = plan(&format!("{WIDE}[failures]\ngpu = 0.0\nmemory = 0.0\nhost = 0.0\n"));
    assert_eq!(none.failures.spare_trays, 2);
    let whole =
        wide.alternatives.iter().find(|alternative| alternative.name.starts_with("72 of 72"));
    assert!(whole.is_none(), "groups of 64 leave no other choice");
    assert!(none.failures.year.goodput >= wide.failures.year.goodput);
    // A board of eight has no trays.
    let text = "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 256\n[cluster]\n\
                gpus = 64\nnode = \"dgx-h100\"\n";
    let scenario =
        read_scenario(&SpecText::new("boards.toml", text), &[]).expect("the spec is sound");
    let boards = design(&scenario).expect("a design");
    assert_eq!(boards.failures.spare_trays, 0);
    assert!(boards.failures.year.faults.iter().all(|year| !year.fault.part.contains("spare")));
}

/// Whatever runs on 72 GPUs of a rack could run on 64: a second workload that may use all of them takes the spare
/// trays of none.
/// Racks that a token of the machines alone takes, where each has so many trays to spare and so many racks stand by:
/// those bought over the share of the days on which no more are short of a tray than stand by. Lived by 8 to 10
/// racks side by side.
fn racks_per_token(gpus: u32, spare: u32, standby: u32) -> f64 {
    let trains = (18 - spare) * 4;
    let racks = gpus.div_ceil(trains);
    let days = 40_000.0;
    // A year of a tray has 4 x 0.85 failures, and each takes a day.
    let (_, time) = lived(18, spare as usize, 4.0 * 0.85 / 365.25, days);
    let short = time / days;
    let mut enough = 0.0;
    for out in 0..=standby {
        let ways: f64 = (0..out).map(|i| f64::from(racks - i) / f64::from(i + 1)).product();
        enough += ways * short.powi(out as i32) * (1.0 - short).powi((racks - out) as i32);
    }
    f64::from(racks + standby) / enough
}

#[test]
fn as_many_trays_are_left_as_racks_that_live_say() {
    // Trays of 576 GPUs fill 8 racks, and 9 with one or two of each to spare.
    let failures = "[failures]\ngpu = 0.85\nmemory = 0.0\nhost = 0.0\nsoftware = 0.0\nnic = 0.0\n\
                    link = 0.0\nswitch = 0.0\ndomain = 0.0\nrestart_minutes = 0\nrepair_hours = 24\n";
    let text = format!(
        "[model]\npreset = \"llama3-70b\"\n[training]\nglobal_batch = 2304\nmicro_batch = 1\ntokens = 15e12\n\
         [parallelism]\ntensor = 4\npipeline = 2\n[cluster]\ngpus = 576\nnode = \"gb200-nvl72\"\n{failures}"
    );
    let scenario =
        read_scenario(&SpecText::new("racks.toml", text), &[]).expect("the spec is sound");
    let plan = design(&scenario).expect("a design");
    let ways = (0..4).flat_map(|spare| (0..4).map(move |standby| (spare, standby)));
    let best = ways
        .min_by(|a, b| racks_per_token(576, a.0, a.1).total_cmp(&racks_per_token(576, b.0, b.1)));
    let found = ((72 - plan.nodes.used) / 4, plan.failures.year.standby.domains as u32);
    assert_eq!(Some(found), best);
}

#[test]
fn a_second_workload_leaves_trays_too() {
    let workload = |name: &str, model: &str, layout: &str| {
        format!(
            "[[workload]]\nname = \"{name}\"\nshare = 0.5\n[workload.model]\npreset = \"{model}\"\n\
             [workload.training]\nglobal_batch = 1024\n{layout}"
        )
    };
    let layout = "[workload.parallelism]\ntensor = 8\ncontext = 8\n";
    let text = format!(
        "[cluster]\ngpus = 1024\nnode = \"gb200-nvl72\"\n[objective]\nyears = 4\n{}{}",
        workload("a", "llama3-70b", layout),
        workload("b", "llama3-8b", "")
    );
    let scenario = read_scenario(&SpecText::new("two.toml", text), &[]).expect("the spec is sound");
    let plan = design(&scenario).expect("a design");
    assert_eq!((plan.nodes.used, plan.failures.spare_trays), (64, 2));
    assert!(plan.failures.year.goodput > 0.98, "{}", plan.failures.year.goodput);
}

/// The more of the time trays are out, the dearer a token.
#[test]
fn trays_that_are_out_more_often_cost_more() {
    let token = |out: f64| {
        let plan = plan(&format!("[failures]\ntrays_out = {out}\n"));
        plan.cost.usd_per_million_tokens.expect("it has a price").get()
    };
    let all = [0.001, 0.01, 0.05, 0.2].map(token);
    assert!(all.is_sorted(), "{all:?}");
}
