//! What a reader has to know before trusting a design, as data. Words are the report's.

use super::filled::FilledMachines;
use super::single_point::WithoutSinglePoint;
use crate::hardware::{Month, PriceLevel};
use crate::units::{Bandwidth, Bytes, Seconds, Usd};

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
        /// How many others.
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
    Unpriced {
        /// Their names.
        parts: Vec<String>,
    },
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
        /// The spec states that month; else it is that of the newest price of the book, and a product
        /// was chosen among several at an older one.
        stated: bool,
    },
    /// Offers on the bill that ended before the month that the spec plans in.
    ExpiredQuotes {
        /// Parts, with the last day or month of their offer.
        parts: Vec<(String, String)>,
        /// That month.
        as_of: Month,
    },
    /// Machines to choose from whose prices have different things in them.
    MixedLevels {
        /// Each of them that has a price.
        machines: Vec<PricedAs>,
    },
    /// A part of the network whose loss stands the whole job until it is repaired.
    SinglePoint {
        /// What it is.
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
        /// What is left.
        left: f64,
    },
    /// Days and cost per token take for granted that other steps end as good as ordinary ones.
    OtherSteps {
        /// Keys of the techniques that have them.
        techniques: Vec<&'static str>,
    },
    /// A run that keeps to its limit without failures takes longer with them.
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
        /// How many.
        count: u32,
        /// Their share of those that are bought.
        share: f64,
        /// GPUs that the spec asks for.
        asked: u32,
        /// GPUs of a machine.
        of_machine: u32,
        /// GPUs of a machine that hold ranks.
        used: u32,
        /// Keys of degrees and rank order that are fixed, so that no other layout was looked at.
        fixed: Vec<&'static str>,
        /// Trays of each machine that are left over and take the place of broken ones.
        spare_trays: u32,
        /// Changes of the spec that leave none of them idle; empty where none was found, or trays are left to
        /// spare.
        filled: Vec<FilledMachines>,
    },
    /// GPUs of the cluster stay idle, as the layout with the shortest step uses fewer, or the stated degrees do.
    PartlyTraining {
        /// GPUs that train.
        training: u64,
        /// GPUs of the cluster.
        asked: u32,
        /// The next larger number of GPUs that all train; `None` where none was found.
        above: Option<u32>,
        /// All degrees but replicas are stated, and no more of these divide the batch.
        stated: bool,
    },
    /// The step was not routed over the fabric: its time is that of a fabric without bottlenecks
    /// beyond those that the clock knows.
    Unrouted {
        /// Why not.
        reason: String,
    },
    /// Routing finds a communication slower than the step time has it.
    Slower {
        /// The communication.
        label: &'static str,
        /// Its slowest link.
        link: String,
        /// How many times as long it takes.
        times: f64,
    },
    /// Scenarios of `[robust]` that the fabric does not carry within their slowdown.
    NotCarried {
        /// Each with its step over that on a full-bisection Clos.
        scenarios: Vec<(String, f64)>,
        /// What is asked for.
        most: f64,
    },
    /// Rail-only saves nothing here against a full-bisection Clos.
    NoRailSaving,
    /// The job does not fit the memory of a GPU.
    MemoryTight {
        /// Bytes left free.
        free: Bytes,
        /// Keys of the spec of which another value frees more.
        keys: Vec<&'static str>,
    },
    /// The HB bandwidth does not suffice to forward everything that the NICs permit.
    ForwardingBound {
        /// HB bandwidth of a GPU, one way.
        hb: Bandwidth,
        /// Bandwidth that would suffice.
        needed: Bandwidth,
    },
    /// No step of this GPU was measured: its rates are assumed.
    AssumedRates {
        /// Its name.
        gpu: String,
        /// Set of constants that it is given.
        set: String,
        /// GPU whose shares of peak it is given.
        shares_of: String,
    },
}
