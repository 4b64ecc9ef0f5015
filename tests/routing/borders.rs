//! The clock's time of a call on leaf switches that block, against messages added up one by one: bytes
//! over every interface and over the uplinks of every leaf switch, each over its rate.

use std::collections::BTreeMap;

use planner::hardware::Gpu;
use planner::parallel::{Layout, Order, Placed, Schedule, Seats, Zero};
use planner::spec::presets;
use planner::step::{Cadence, Communication, Step};
use planner::timing::{Clock, GrantedCall, NetworkModel, StepCache};
use planner::units::Bandwidth;
use planner::workload::{Algorithms, Collectives, ContextExchange, Framework};

use crate::routing::uneven::{Message, messages};
use crate::support::dice::Dice;
use crate::support::job;

/// A step, its framework, and a network that it runs on.
struct Drawn {
    step: Step,
    framework: Framework,
    network: NetworkModel,
}

fn pick<T: Copy>(dice: &mut Dice, items: &[T]) -> T {
    items[dice.roll(items.len() as u64) as usize]
}

/// Domains of 4 to 9 GPUs with links inside that cost nothing, so that the fabric alone decides.
fn drawn(dice: &mut Dice) -> Option<Drawn> {
    let tensor = pick(dice, &[1, 2, 4]);
    let pipeline = pick(dice, &[1, 2, 3, 4, 6]);
    let data = dice.between(2, 12) as u32;
    let interleave = if pipeline > 1 && dice.chance(30) { 2 } else { 1 };
    let layout = Layout {
        context: pick(dice, &[1, 1, 2]),
        order: Order::parse(pick(dice, &["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"]))?,
        zero: pick(dice, &[Zero::None, Zero::Optimizer, Zero::Parameters]),
        interleave,
        schedule: if interleave > 1 { Schedule::Interleaved } else { Schedule::OneFOneB },
        ..job::layout(tensor, data, pipeline)
    };
    let domain = dice.between(4, 9) as u32;
    let nics = pick(dice, &[domain, domain, 2 * domain]);
    let framework = Framework {
        overheads: false,
        // One ring uses one interface, however many its GPU has.
        single_ring_sharding: nics == domain && dice.chance(50),
        context_exchange: pick(dice, &[ContextExchange::Gather, ContextExchange::Ring]),
        // The messages here are made for rings and levels; racks.rs has what NCCL chooses.
        collectives: Collectives { all: Algorithms::Hierarchical, ..Collectives::DEFAULT },
        ..job::framework()
    };
    let training = job::training(&layout, u64::from(pipeline) * 2);
    let step = Step::new(&job::model(24), &training, &framework, &layout).ok()?;
    let within_rail = pick(dice, &[1.0, 0.75, 0.5, 0.25]);
    let network = NetworkModel {
        domain,
        hb: Bandwidth::from_gigabytes(1e12),
        nics,
        nic: Bandwidth::from_gigabytes(50.0),
        leaf_domains: pick(dice, &[None, Some(1), Some(2), Some(3), Some(4)]),
        within_rail,
        across_rails: pick(dice, &[0.0, within_rail, within_rail, 0.25, 1.0]),
        planes: 1,
        forwards: dice.chance(80),
        has_summing_switches: dice.chance(50),
        seats: pick(dice, &Seats::ALL),
        balance: planner::timing::UplinkBalance::SPRAY,
    };
    Some(Drawn { step, framework, network })
}

fn gpu() -> Gpu {
    presets::preset_nodes()["dgx-h100"].gpu.clone()
}

/// Bytes by a place of a cluster.
type Places = BTreeMap<(u32, u32), f64>;

fn most(places: &Places) -> f64 {
    places.values().copied().fold(0.0, f64::max)
}

/// The messages of one call on a network.
struct Sent<'a> {
    messages: &'a [Message],
    network: &'a NetworkModel,
    used: u32,
    aligned: bool,
}

impl Sent<'_> {
    fn domain(&self, rank: u32) -> u32 {
        rank / self.used
    }

    /// One for each GPU; where interfaces are more, a rail is as wide as those of a GPU.
    fn rail(&self, rank: u32) -> u32 {
        rank % self.used
    }

    fn leaf(&self, rank: u32) -> u32 {
        self.domain(rank) / self.network.leaf_domains.unwrap_or(u32::MAX)
    }

    fn interface(&self) -> f64 {
        self.network.nic.get() * f64::from(self.network.nics / self.network.domain)
    }

    /// True where leaf switches have fewer uplinks than downlinks.
    fn blocks(&self) -> bool {
        self.network.leaf_domains.is_some() && self.network.within_rail < 1.0
    }

    /// True where what goes from rail to rail takes the uplinks of what stays on one.
    fn joint(&self) -> bool {
        self.network.within_rail == self.network.across_rails
    }

    /// Bytes of the uplinks of a leaf switch in a second.
    fn uplinks(&self) -> f64 {
        let domains = self.network.leaf_domains.map_or(f64::INFINITY, f64::from);
        self.interface() * self.network.within_rail * domains
    }

    /// Sums of bytes by a place of each message.
    fn sum(&self, place: impl Fn(u32, u32) -> Option<(u32, u32)>) -> Places {
        let mut places = Places::new();
        for (from, to, bytes) in self.messages {
            if let Some(place) = place(*from, *to) {
                *places.entry(place).or_default() += bytes;
            }
        }
        places
    }

    /// Seconds until the fullest interface and the fullest border of a leaf switch are done, where a
    /// spine takes a `straight` share of what goes to another rail and the sender's domain forwards
    /// the rest. By symmetry as many bytes enter a leaf switch as leave it (docs/equations.md §8.5).
    fn seconds(&self, straight: f64) -> f64 {
        let both = |forwarded: Places, direct: Places| -> f64 {
            let share =
                |table: Places, share| table.into_iter().map(move |(at, by)| (at, by * share));
            let mut sum = Places::new();
            let parts = share(forwarded, 1.0 - straight).chain(share(direct, straight));
            parts.for_each(|(at, bytes)| *sum.entry(at).or_default() += bytes);
            most(&sum)
        };
        let sent = both(
            self.sum(|from, to| Some((self.domain(from), self.rail(to)))),
            self.sum(|from, _| Some((self.domain(from), self.rail(from)))),
        );
        let received = most(&self.sum(|_, to| Some((self.domain(to), self.rail(to)))));
        let interfaces = sent.max(received) / self.interface();
        if !self.blocks() {
            return interfaces;
        }
        let leaves = |from, to| self.leaf(from) != self.leaf(to);
        let straight_leaves = |from, to| {
            if self.rail(from) == self.rail(to) { leaves(from, to) } else { self.joint() }
        };
        let up = both(
            self.sum(|from, to| leaves(from, to).then(|| (self.leaf(from), self.rail(to)))),
            self.sum(|from, to| {
                straight_leaves(from, to).then(|| (self.leaf(from), self.rail(from)))
            }),
        );
        let down = both(
            self.sum(|from, to| leaves(from, to).then(|| (self.leaf(to), self.rail(to)))),
            self.sum(|from, to| straight_leaves(from, to).then(|| (self.leaf(to), self.rail(to)))),
        );
        let borders = if self.aligned { up } else { up.max(down) };
        interfaces.max(borders / self.uplinks())
    }

    /// Share of the bytes of the busiest rank that go to another rail.
    fn off_rail(&self) -> f64 {
        let off = self.sum(|from, to| (self.rail(from) != self.rail(to)).then_some((from, 0)));
        most(&off) / most(&self.sum(|from, _| Some((from, 0))))
    }

    /// §8.5 where all interfaces below a leaf switch send to other rails over its uplinks:
    /// q·(1 − s·o) + s·o·d flows at the rate of an interface, q of them where none does.
    fn joined_seconds(&self, straight: f64) -> f64 {
        let interface = most(&self.sum(|from, _| Some((self.domain(from), self.rail(from)))));
        let leaves = |from, to| self.leaf(from) != self.leaf(to);
        let border =
            self.sum(|from, to| leaves(from, to).then(|| (self.leaf(from), self.rail(from))));
        let domains = self.network.leaf_domains.map_or(0.0, f64::from);
        let by_spine = straight * self.off_rail();
        let flows = most(&border) / interface * (1.0 - by_spine) + by_spine * domains;
        interface / self.interface() * (flows / (self.network.within_rail * domains)).max(1.0)
    }
}

/// How often what was compared.
#[derive(Default, Debug)]
struct Seen {
    calls: usize,
    /// Calls that leaf switches slow down.
    blocked: usize,
    /// Calls whose domain forwards what a spine could carry in part.
    forwarded: usize,
    /// Calls of which a spine carries a part, over the uplinks of the rails, and over its own.
    joint: usize,
    apart: usize,
}

fn check(communication: &Communication, granted: &GrantedCall, drawn: &Drawn, seen: &mut Seen) {
    let Drawn { step, network, .. } = drawn;
    let placement = network.place_ranks(&step.grid);
    let placed = Placed::new(&step.grid, placement);
    let messages = messages(step, communication, &placed, &granted.policy);
    if messages.is_empty() {
        return;
    }
    let (used, aligned) = (placement.used_gpus_per_domain(), placed.is_aligned());
    let sent = Sent { messages: &messages, network, used, aligned };
    let (own, straight) = (granted.time.get(), granted.straight);
    let told =
        || format!("{} of {:?} on {network:?}: {granted:?}", communication.label, step.layout);
    let (by_messages, crossing) = (sent.seconds(straight), straight * sent.off_rail() > 0.0);
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-4;
    assert!(own > by_messages * (1.0 - 1e-4), "{by_messages}: {}", told());
    if crossing && aligned && sent.blocks() && sent.joint() {
        let expected = sent.joined_seconds(straight);
        assert!(close(own, expected), "{expected}: {}", told());
    } else {
        assert!(close(own, by_messages), "{by_messages}: {}", told());
    }
    // A spine carries what it can of the bytes to other rails, or nothing where that takes less.
    if network.forwards && sent.off_rail() > 0.0 {
        let even = 1.0 - 1.0 / f64::from(used);
        let shares = [even, 1.0, sent.off_rail().max(even)].map(|off| network.across_rails / off);
        let known = shares.iter().any(|share| (share.min(1.0) - straight).abs() < 1e-9);
        let chosen = straight == 0.0 && sent.blocks() && sent.joint();
        assert!(known || chosen, "{shares:?}: {}", told());
        // Stages whose domain borders differ choose by themselves.
        if aligned && sent.blocks() && sent.joint() {
            assert!(own <= sent.seconds(0.0) * (1.0 + 1e-4), "forwarding: {}", told());
            seen.forwarded += usize::from(straight == 0.0);
        }
    }
    seen.calls += 1;
    let free = NetworkModel { leaf_domains: None, ..network.clone() };
    let unblocked = Sent { network: &free, ..sent }.seconds(straight);
    seen.blocked += usize::from(own > unblocked * 1.01);
    seen.joint += usize::from(crossing && sent.blocks() && sent.joint());
    seen.apart += usize::from(crossing && sent.blocks() && !sent.joint());
}

#[test]
fn a_call_takes_as_long_as_its_fullest_link() {
    let mut dice = Dice(22);
    let gpu = gpu();
    let mut seen = Seen::default();
    for _ in 0..10 * DRAWS {
        let Some(drawn) = drawn(&mut dice) else { continue };
        let Drawn { step, framework, network } = &drawn;
        let clock = Clock::new(&gpu, network, framework);
        let granted = clock.assumed_call_times(step);
        for (communication, granted) in step.communications.iter().zip(&granted) {
            check(communication, granted, &drawn, &mut seen);
        }
    }
    let Seen { calls, blocked, forwarded, joint, apart } = seen;
    let least = [blocked, forwarded, joint, apart].into_iter().min();
    assert!(calls > 10 * DRAWS && least > Some(DRAWS / 10), "{seen:?}");
}

/// What was computed of a step on one fabric says nothing wrong of it on another.
#[test]
fn what_is_kept_of_a_step_holds_on_every_fabric() {
    let mut dice = Dice(23);
    let gpu = gpu();
    let (mut compared, mut unlike) = (0, 0);
    for _ in 0..DRAWS {
        let Some(Drawn { step, framework, network }) = drawn(&mut dice) else { continue };
        let cache = StepCache::default();
        let mut before = None;
        for leaf_domains in [None, Some(1), Some(2), Some(3), Some(5)] {
            for (within_rail, across_rails) in [(1.0, 0.5), (0.5, 0.5), (0.25, 0.125), (0.5, 0.0)] {
                let network =
                    NetworkModel { leaf_domains, within_rail, across_rails, ..network.clone() };
                let clock = Clock::new(&gpu, &network, &framework);
                let (kept, anew) = (clock.with_cache(&cache), clock);
                let granted = anew.assumed_call_times(&step);
                assert_eq!(
                    kept.assumed_call_times(&step),
                    granted,
                    "{:?} {network:?}",
                    step.layout
                );
                assert_eq!(
                    kept.time_step(&step),
                    anew.time_step(&step),
                    "{:?} {network:?}",
                    step.layout
                );
                unlike += usize::from(before.is_some_and(|before| before != granted));
                before = Some(granted);
                compared += 1;
            }
        }
    }
    assert!(compared > 10 * DRAWS && unlike > DRAWS, "{compared} {unlike}");
}

/// Bytes between domains that take three times as long make a message take three times as long where
/// all of it leaves its domain.
#[test]
fn strained_messages_take_as_many_times_as_long() {
    let mut dice = Dice(24);
    let gpu = gpu();
    let mut compared = 0;
    for _ in 0..DRAWS {
        let Some(Drawn { step, framework, network }) = drawn(&mut dice) else { continue };
        let clock = Clock::new(&gpu, &network, &framework);
        let stages: Vec<usize> = (0..step.stages.len()).collect();
        let message = clock.stage_message_time(&step, &stages);
        if message.busy.across.get() == 0.0 {
            continue;
        }
        for times in [1.0, 3.0] {
            let all = vec![times; step.communications.len()];
            let strained = clock.with_correction_factors(&all).stage_message_time(&step, &stages);
            let ratio = strained.busy.across / message.busy.across;
            assert!((ratio - times).abs() < 1e-9, "{ratio} for {times}");
            let ratio = strained.time / message.time;
            assert!((ratio - times).abs() < 1e-6, "{ratio} for {times}");
        }
        compared += 1;
    }
    assert!(compared > DRAWS / 4, "{compared}");
}

/// Eight GPUs on four interfaces, two stages of four GPUs in a domain: the second one's four GPUs send
/// at the same time, an interface for each. Stages of one GPU have no more than one each, stages of
/// eight half of one.
#[test]
fn senders_of_a_domain_share_its_interfaces() {
    let gpu = gpu();
    let framework = Framework { overheads: false, ..job::framework() };
    // Two GPUs share an interface, and the senders at a border are neighbours.
    for (tensor, share) in [(1, 1.0), (2, 0.5), (4, 0.5), (8, 0.5)] {
        let layout = Layout {
            order: Order::parse("tp-cp-ep-pp-dp").expect("an order"),
            ..job::layout(tensor, 1, 16)
        };
        let training = job::training(&layout, 4);
        let step = Step::new(&job::model(16), &training, &framework, &layout).expect("legal");
        let network = NetworkModel {
            domain: 8,
            hb: Bandwidth::from_gigabytes(1e12),
            nics: 4,
            nic: Bandwidth::from_gigabytes(50.0),
            leaf_domains: None,
            within_rail: 1.0,
            across_rails: 1.0,
            planes: 1,
            forwards: true,
            has_summing_switches: false,
            seats: Seats::Even,
            balance: planner::timing::UplinkBalance::SPRAY,
        };
        let clock = Clock::new(&gpu, &network, &framework);
        let sent = step.communications.iter().zip(clock.assumed_call_times(&step));
        let messages = sent.filter(|(communication, _)| {
            matches!(communication.cadence, Cadence::PerBoundary { .. })
        });
        let mut compared = 0;
        for (communication, granted) in messages {
            let expected = communication.payload(1).as_f64() / 50e9 / share;
            let own = granted.time.get();
            assert!((own / expected - 1.0).abs() < 1e-9, "{tensor}: {own}, {expected}");
            compared += 1;
        }
        assert_eq!(compared, 2, "one message up, one down");
    }
}

/// Random steps.
const DRAWS: usize = 100;
