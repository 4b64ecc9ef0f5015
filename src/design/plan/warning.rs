//! `Warning`: near batches and GPU counts, prices of machines that are not of one kind.

use super::alternatives::WithoutSinglePoint;
use crate::cost::{are_comparable, covering_price, nic_price, node_price};
use crate::design::candidate::candidates::list_jobs;
use crate::design::candidate::layouts::Overflow;
use crate::design::job::job::Job;
use crate::design::job::machine::Machine;
use crate::hardware::{Included, Month, Nic, Node, Price, PriceBook, PriceLevel};
use crate::scenario::Scenario;
use crate::units::{Bandwidth, Bytes, Seconds, Usd, format_price as usd};

/// What the price of a machine is of.
#[derive(Clone, Debug, PartialEq)]
pub struct PricedAs {
    /// The machine by its name in the catalogue.
    pub part: String,
    /// How much of a cluster; `None` where the price does not say.
    pub level: Option<PriceLevel>,
    /// Its interfaces are in the price.
    pub has_nics: bool,
}

/// What a reader has to know, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Designs that cost within half a percent of the chosen one.
    Ties {
        count: usize,
        /// Those of them that the table of other designs names and that have another network.
        networks: Vec<String>,
        /// Those that it names and that differ otherwise.
        others: Vec<String>,
    },
    /// Flows of a leaf nearly fill its uplinks; perfect balance is needed.
    UplinkHeadroom {
        /// Uplink bandwidth over demand.
        headroom: f64,
        /// Bandwidth within a rail, over that of its NICs, that would give enough; 1 at most.
        within: f64,
    },
    /// Traffic across rails has to be forwarded through the HB domain.
    Forwarding {
        /// Bytes of a step that are forwarded.
        bytes: Bytes,
    },
    /// Parts of the bill have no price.
    Unpriced { parts: Vec<String> },
    /// Switches on the bill that no book prices by name, while it prices others so: what is paid is
    /// that of as many ports.
    PricedByPort {
        /// Their names, each with the price of one.
        parts: Vec<(String, Usd)>,
    },
    /// Prices on the bill that are older than the spec wants them.
    OldPrices {
        /// Parts, with the date that their price states.
        parts: Vec<(String, String)>,
        /// Age of the oldest in months, at least.
        months: u32,
        /// The month that they are judged in.
        as_of: Month,
        /// The spec states that month; else it is that of the newest price of the book, and a
        /// product was chosen among several at an older one.
        stated: bool,
    },
    /// Offers on the bill that ended before the month that the spec plans in.
    ExpiredQuotes {
        /// Parts, with the last day or month of their offer.
        parts: Vec<(String, String)>,
        as_of: Month,
    },
    /// Machines to choose from whose prices have different things in them.
    MixedLevels {
        /// Each of them that has a price.
        machines: Vec<PricedAs>,
    },
    /// A part of the network whose loss stands the whole job until it is repaired.
    SinglePoint {
        part: String,
        /// How many of them there are whose loss does so.
        pieces: u64,
        /// HB domains that would have to stand by to take over; 0 where no number does.
        domains: u64,
        /// Time until it is repaired.
        repair: Seconds,
        /// Share of the year that this takes.
        lost: f64,
        /// The best network that has none, where one was looked for and found.
        without: Option<WithoutSinglePoint>,
    },
    /// A loss leaves less of the pace than is asked for.
    TooLittleLeft {
        /// Share of the pace on a non-blocking network that is asked for.
        asked: f64,
        left: f64,
    },
    /// Days and cost per token take for granted that other steps end as good as ordinary ones.
    OtherSteps {
        /// Keys of the techniques that have them.
        techniques: Vec<&'static str>,
    },
    /// A run that keeps to its limit where machines alone fail takes longer with what breaks of
    /// the network.
    LateWithFailures {
        /// Its name; `None` where there is one.
        workload: Option<String>,
        /// The limit in days.
        asked: f64,
        /// Days with the share of the time that trains.
        takes: f64,
    },
    /// GPUs that are bought and that the job can't use.
    IdleGpus {
        count: u32,
        /// Their share of those that are bought.
        share: f64,
        /// GPUs that the spec asks for.
        asked: u32,
        of_machine: u32,
        /// GPUs of a machine that hold ranks.
        used: u32,
        /// Keys of degrees and rank order that are fixed, so that no other layout was looked at.
        fixed: Vec<&'static str>,
        /// Trays of each machine that are left over and take the place of broken ones.
        spare_trays: u32,
        /// Changes of the spec that leave none of them idle; empty where none was found, or trays
        /// are left to spare.
        filled: Vec<FilledMachines>,
    },
    /// GPUs of the cluster stay idle, as the layout with the shortest step uses fewer, or the
    /// stated degrees do.
    PartlyTraining {
        training: u64,
        asked: u32,
        /// The next larger number of GPUs that all train; `None` where none was found.
        above: Option<u32>,
        /// All degrees but replicas are stated, and no more of these divide the batch.
        stated: bool,
    },
    /// The step was not routed over the fabric: its time is that of a fabric without bottlenecks
    /// beyond those that the clock knows.
    Unrouted { reason: String },
    /// Routing finds a communication slower than the step time has it.
    Slower {
        label: &'static str,
        link: String,
        /// How many times as long it takes.
        times: f64,
    },
    /// Scenarios of `[robust]` that the fabric does not carry within their slowdown.
    NotCarried {
        /// Each with its step over that on a full-bisection Clos.
        scenarios: Vec<(String, f64)>,
        most: f64,
    },
    /// Rail-only saves nothing here against a full-bisection Clos.
    NoRailSaving,
    /// What a GPU has lies within the error of what the job is counted to need.
    MemoryTight {
        needs: Bytes,
        has: Bytes,
        /// Keys of the spec of which another value frees more.
        keys: Vec<&'static str>,
    },
    /// The HB bandwidth does not suffice to forward everything that the NICs permit.
    ForwardingBound {
        /// HB bandwidth of a GPU, one way.
        hb: Bandwidth,
        needed: Bandwidth,
    },
    /// No step of this GPU was measured: its rates are assumed.
    AssumedRates {
        gpu: String,
        /// Set of constants that it is given.
        set: String,
        /// GPU whose shares of peak it is given.
        shares_of: String,
    },
    /// The step is predicted to use its GPUs better than any that was measured.
    AboveMeasured {
        gpu: String,
        /// Predicted share of the peak that the model's FLOPs reach.
        mfu: f64,
        /// The highest of measured steps on such GPUs in a format of that width.
        highest: f64,
        /// Who published that one.
        source: &'static str,
    },
}

/// A change of the spec after which every GPU that is bought holds a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilledMachines {
    /// `cluster.gpus`; `None` where it stays.
    pub gpus: Option<u32>,
    /// `training.global_batch`; `None` where it stays.
    pub batch: Option<u64>,
}

/// Most changes that are told.
const TOLD: usize = 2;
/// Share of the GPUs bought that has to be idle for a change to be looked for: below it another
/// number of GPUs or another batch is no gain.
const WORTH: f64 = 0.005;
/// Part of a batch by which it may change at most, as one over this.
const NEAR: u64 = 4;

/// The nearest changes that fill the machines of a job: of the batch alone where so many GPUs fill
/// machines, else of the number of GPUs. Empty where none was found, where hardly a GPU is idle,
/// and of several workloads.
pub(in crate::design) fn changes_that_fill_machines(job: &Job<'_>) -> Vec<FilledMachines> {
    let scenario = job.scenario;
    if scenario.workloads.len() > 1 {
        return Vec::new();
    }
    let (gpus, domain) = (scenario.cluster.gpus, job.machine.node.gpus.max(1));
    let bought = f64::from(job.domains) * f64::from(domain);
    let used = job.lead_run().layout().gpus() as f64;
    if bought - used < WORTH * bought {
        return Vec::new();
    }
    let fills = |change: &FilledMachines| leaves_none_idle(scenario, job.machine, *change);
    let batches = |gpus: u32| near_batches(scenario.lead_workload().training.global_batch, gpus);
    if gpus.is_multiple_of(domain) {
        let all = batches(gpus).into_iter().flatten();
        let with = |batch| FilledMachines { gpus: None, batch: Some(batch) };
        return all.map(with).filter(fills).take(TOLD).collect();
    }
    let whole = gpus / domain * domain;
    let counts = [Some(whole), whole.checked_add(domain)].into_iter().flatten();
    let changed = |gpus: u32| {
        let with = move |batch| FilledMachines { gpus: Some(gpus), batch };
        let all = std::iter::once(None).chain(batches(gpus).into_iter().flatten().map(Some));
        all.map(with).find(fills)
    };
    counts.filter(|gpus| *gpus > 0).filter_map(changed).collect()
}

/// The batches next to one that the odd part of a number of GPUs divides, and as many twos as leave
/// both near: replicas then have that odd part, and other degrees powers of two.
fn near_batches(batch: u64, gpus: u32) -> [Option<u64>; 2] {
    let odd = u64::from(gpus >> gpus.trailing_zeros().min(31));
    let most = batch / NEAR;
    if odd == 0 || odd > most {
        return [None, None];
    }
    let unit = odd << (most / odd).ilog2();
    let below = batch / unit * unit;
    let above = batch.div_ceil(unit) * unit;
    [below, above].map(|other| (other > 0 && other != batch).then_some(other))
}

/// True where every job of the changed scenario uses all GPUs of the machines that it takes.
fn leaves_none_idle(scenario: &Scenario, machine: Machine<'_>, change: FilledMachines) -> bool {
    let mut scenario = scenario.clone();
    scenario.cluster.gpus = change.gpus.unwrap_or(scenario.cluster.gpus);
    scenario.workloads[0] = scenario.lead_workload().map_products(|mut workload| {
        workload.training.global_batch = change.batch.unwrap_or(workload.training.global_batch);
        workload
    });
    let full = |job: &Job<'_>| {
        u64::from(job.domains) * u64::from(job.machine.node.gpus) == job.lead_run().layout().gpus()
    };
    list_jobs(&scenario, machine, Overflow::Refused, &[])
        .is_ok_and(|jobs| !jobs.is_empty() && jobs.iter().all(full))
}

/// What is taken for the price of interfaces, in words; `None` where no book has one.
pub(in crate::design) fn nic_price_in_words(
    book: &PriceBook,
    node: &Node,
    nic: &Nic,
) -> Option<String> {
    let (machine, name) = (&node.name, &nic.name);
    let alone =
        nic_price(book, nic).map(|price| format!("{} ({})", usd(price.amount), price.origin()));
    if covering_price(book, node, nic).is_some() {
        let alone =
            alone.map_or_else(|| "no price".to_owned(), |text| format!("{text} if bought alone"));
        return Some(format!("{name} is in the price of {machine}; {alone}"));
    }
    let alone = alone?;
    let quote = node_price(book, node).map(|price| price.quote).unwrap_or_default();
    let own = &node.nic.name;
    Some(if quote.includes.contains(&Included::Nic) {
        format!(
            "{name} at {alone}, in place of {own}, which is in the price of {machine} and is not \
             refunded"
        )
    } else if quote.is_silent() && node_price(book, node).is_some() {
        format!(
            "{name} at {alone}, on top of the price of {machine}, which does not say what it \
             includes; in the cluster's cost and not in the network's"
        )
    } else {
        format!("{name} at {alone}, in the cluster's cost and not in the network's")
    })
}

/// That machines to choose from are priced with different things in the price; `None` where all are
/// alike.
#[must_use]
pub fn mixed_levels(book: &PriceBook, nodes: &[Node]) -> Option<Warning> {
    let priced = |node: &Node| Some((node.name.clone(), node_price(book, node)?));
    let all: Vec<(String, Price)> = nodes.iter().filter_map(priced).collect();
    let (_, first) = all.first()?;
    if all.iter().all(|(_, price)| are_comparable(first, price)) {
        return None;
    }
    let one = |(part, price): (String, Price)| PricedAs {
        part,
        level: price.quote.level,
        has_nics: price.quote.includes.contains(&Included::Nic),
    };
    Some(Warning::MixedLevels { machines: all.into_iter().map(one).collect() })
}

#[cfg(test)]
mod tests {
    use super::near_batches;

    #[test]
    fn near_batches_have_the_odd_part_of_the_gpus() {
        assert_eq!(near_batches(2048, 4608), [Some(2016), Some(2304)]);
        assert_eq!(near_batches(2304, 4608), [None, None]);
        assert_eq!(near_batches(16, 72 * 7), [None, None]);
        assert_eq!(near_batches(0, 72), [None, None]);
    }
}
