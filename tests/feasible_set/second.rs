//! A second workload that shares the cluster's time: what is drawn of it, and the tables that state it.

use std::fmt::Write as _;

use crate::feasible_set::instance::{Family, Goal, Instance};
use crate::support::dice::Dice;

/// Two workloads that take turns on a cluster; the first one is that of all instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Second {
    /// Layers of its model; 0: so large a model that it fits no GPU.
    layers: u32,
    /// Width of its model.
    hidden: u32,
    /// Tokens of a sample.
    pub(crate) sequence: u32,
    /// Samples of a step for every replica.
    samples: u32,
    /// Tensor-parallel ranks.
    tensor: u32,
    /// Expert-parallel ranks; 1: the model is dense.
    expert: u32,
    /// Its share of the cluster's time in thousandths; the first workload has the rest.
    pub(crate) share: u32,
    /// Longest step of each workload over that on full bisection in thousandths, where one is stated.
    pub(crate) slowdowns: [Option<u32>; 2],
    /// The floor across rails is what it needs there, not a limit of the cluster.
    crosses: bool,
    /// The cost of a token is what is minimised, and nothing ever fails.
    pub(crate) tokens: bool,
}

/// What a kind of test can hold a second workload to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Asked {
    /// Nothing that depends on step times: laws change what these depend on.
    Shape,
    /// Besides, steps of limited length.
    Pace,
    /// Besides, bandwidth across rails.
    Crossing,
    /// Besides, the cost of a token as the only goal.
    Tokens,
}

/// The instance, in a quarter of all cases with a second workload. Its dice are its own, so that all else
/// is as without it.
pub(crate) fn with_second(instance: Instance, number: u64, asked: Asked) -> Instance {
    // Seeds in a row are spread apart, as their rolls would be alike.
    let mut dice = Dice((number ^ 0x5ec0_4d00).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    dice.roll(2);
    if dice.chance(25) { joined(instance, &mut dice, asked) } else { instance }
}

/// The instance with a second workload.
pub(crate) fn joined(mut instance: Instance, dice: &mut Dice, asked: Asked) -> Instance {
    // Where a domain lacks GPUs, ranks may be spread evenly over more domains, which is faster.
    // Larger clusters take long where every number of endpoints of a leaf is timed.
    let even = instance.missing == 0 && instance.endpoints() <= 128;
    // Experts spread over whole domains, so that borders of domains cut no group.
    let groups: Vec<u32> = (2..=instance.domains)
        .filter(|domains| {
            instance.domains.is_multiple_of(*domains) && domains * instance.domain_gpus <= 64
        })
        .collect();
    let spread = even && !groups.is_empty() && asked != Asked::Shape && dice.chance(75);
    let expert = if spread {
        groups[dice.roll(groups.len() as u64) as usize] * instance.domain_gpus
    } else {
        1
    };
    let halves = even && instance.domain_gpus.is_multiple_of(2) && expert == 1;
    let tensor = if halves && dice.chance(40) { 2 } else { 1 };
    let limit = |dice: &mut Dice, often| {
        let limits = [1000, 1000, 1002, 1010, 1050, 1200];
        (even && asked != Asked::Shape && dice.chance(often))
            .then(|| limits[dice.roll(limits.len() as u64) as usize])
    };
    let slowdowns = [limit(dice, 30), limit(dice, 75)];
    // Where a floor is stated too, it is mostly the floor that decides.
    if slowdowns.iter().any(Option::is_some) && dice.chance(75) {
        instance.within = 0;
    }
    let too_large = dice.chance(4);
    let tokens = even && asked == Asked::Tokens && dice.chance(30);
    let crosses =
        asked >= Asked::Crossing && instance.family != Family::RailOnly && instance.rails > 1;
    let crosses = crosses && dice.chance(30);
    if crosses && instance.across == 0 {
        instance.across = dice.between(1, 600) as u32;
    }
    if tokens {
        instance.goals = vec![Goal::Tco];
    }
    instance.second = Some(Second {
        layers: if too_large { 0 } else { dice.between(2, 12) as u32 },
        hidden: [256, 512, 1024][dice.roll(3) as usize],
        sequence: [256, 512, 2048][dice.roll(3) as usize],
        samples: dice.between(1, 4) as u32,
        tensor,
        expert,
        share: dice.between(200, 800) as u32,
        slowdowns,
        crosses,
        tokens,
    });
    instance
}

impl Second {
    /// Whether its model fits no GPU: more parameters than a GPU has bytes, and every GPU has all of them.
    pub(crate) fn is_too_large(&self) -> bool {
        self.layers == 0
    }

    /// Whether how long steps take decides anything.
    pub(crate) fn is_timed(&self) -> bool {
        self.tokens || self.slowdowns.iter().any(Option::is_some)
    }

    /// Whether it is what needs bandwidth across rails.
    pub(crate) fn crosses(&self) -> bool {
        self.crosses
    }

    /// Samples of one step on so many GPUs.
    pub(crate) fn batch(&self, gpus: u32) -> u32 {
        gpus / self.tensor * self.samples
    }

    /// The tables of both workloads.
    pub(crate) fn toml(&self, instance: &Instance) -> String {
        let mut out = String::new();
        let thousandths = |count: u32| format!("{}.{:03}", count / 1000, count % 1000);
        let mut line = |text: String| writeln!(out, "{text}").expect("text can be written to");
        let slowdown = |count: Option<u32>| {
            count.map_or_else(String::new, |count| {
                format!("\nmax_slowdown = {}", thousandths(count))
            })
        };
        line(format!("[[workload]]\nname = \"first\"{}", slowdown(self.slowdowns[0])));
        line(format!(
            "[[workload]]\nname = \"second\"\nshare = {}{}",
            thousandths(self.share),
            slowdown(self.slowdowns[1])
        ));
        if self.crosses {
            line(format!("unforwardable = {}", thousandths(instance.across)));
        }
        // Of 16384 a layer has three thousand million parameters.
        let (layers, hidden) =
            if self.layers == 0 { (80, 16384) } else { (self.layers, self.hidden) };
        let (experts, ffn, visits) = (2 * self.expert, hidden / 2, self.expert.min(4));
        let moe = match self.expert {
            1 => String::new(),
            _ => format!(", moe = {{ experts = {experts}, top_k = {visits}, ffn = {ffn} }}"),
        };
        let Self { sequence, tensor, expert, .. } = self;
        line(format!(
            "model = {{ layers = {layers}, hidden = {hidden}, heads = 16, vocab = 32000, \
             sequence = {sequence}{moe} }}\ntraining = {{ global_batch = {}, micro_batch = 1, \
             recompute = \"selective\" }}\nparallelism = {{ tensor = {tensor}, pipeline = 1, \
             expert = {expert}, zero = 1, order = \"tp-cp-ep-dp-pp\" }}",
            self.batch(instance.gpus())
        ));
        out
    }
}
