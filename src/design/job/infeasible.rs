//! Why there is no design, with what is missing and what would help.

use std::fmt;

use super::infeasible_details::{
    FreeEnd, LimitMove, limits_clash_sentence, move_together_sentence,
};
use crate::hall::{HallProblem, more_of};
use crate::hardware::Rack;
use crate::scenario::{ClusterName, Scenario, Workload};
use crate::search::NoLayout;
use crate::sizing;
use crate::units::{Amount, Bytes, ExactAmount, Seconds, StatedAmount, Usd, Watts};

/// Why no design meets a scenario. Of several candidates, the one that came furthest speaks.
#[derive(Clone, Debug, PartialEq)]
pub enum Infeasible {
    /// No layout runs and fits.
    Layout(NoLayout),
    /// The host has not the memory for what is kept there.
    HostMemory {
        node: String,
        /// Memory that its host needs.
        needs: Bytes,
        /// Memory that its host takes at most.
        has: Bytes,
    },
    /// No switch model on offer has ports fast enough, or enough of them.
    NoSwitch {
        endpoints: u64,
        /// Rate of a link in Gb/s, rounded.
        gigabits: u64,
    },
    /// No switch model on offer has the ports for a member of a family of fabric.
    NoMember {
        /// Family, as a spec names it.
        family: &'static str,
        endpoints: u64,
        /// Rate of a link in Gb/s, rounded.
        gigabits: u64,
    },
    /// No module or cable joins the interface to a switch on offer.
    NoLink {
        node: String,
        nic: String,
        cage: &'static str,
        protocol: &'static str,
        /// Rate of a link in Gb/s, rounded.
        gigabits: u64,
        /// The end that nothing joins.
        end: Box<FreeEnd>,
    },
    /// The best network can't be placed in the hall.
    Hall(HallProblem),
    /// Even the best network is too slow.
    Slow {
        /// Spec key of the limit that is missed.
        limit: &'static str,
        /// Time of a step that the limit allows.
        has: Seconds,
        /// Time of a step on the fastest fabric that can be built.
        best: Seconds,
    },
    /// Messages between domains have no way to another rail.
    Across {
        /// Bandwidth across rails over that of the NICs that they need.
        needs: f64,
    },
    /// Bandwidth across rails is asked for where nothing may join them.
    Apart {
        /// The least over that of the NICs, as `limits.across_rails` has it.
        asked: f64,
    },
    /// Steps can't be routed over the cables of a fabric, which the family has to be timed on.
    Unrouted {
        /// Why, as a sentence without a full stop.
        reason: String,
    },
    /// The interface has too few ports for the family of fabric.
    Ports {
        nic: String,
        /// Ports that the family takes, each with its share of the rate.
        needs: u32,
    },
    /// Networks that are fast enough exist, but no regular one.
    Irregular,
    /// After a loss that has to be survived every fabric that is fast enough leaves less.
    Stands {
        /// Share of the pace on a non-blocking network that has to be left.
        pace: f64,
    },
    /// Machines alone cost more than the budget, or cluster limits clash with each other.
    Limits {
        /// Money allowed, and what the cheapest cluster costs with other limits kept.
        budget: Option<(Usd, Usd)>,
        /// Power allowed, and what the cluster that draws least draws with other limits kept.
        power: Option<(Watts, Watts)>,
        /// Limits that concern the network alone.
        network: Vec<sizing::LimitNeed>,
    },
    /// The cluster has parts or stages with a fabric each, and the question is about one.
    Several,
    /// Racks are limited, and nobody says how much room a product takes.
    NoSpace { node: String },
    /// Not one product fits a rack.
    RackPower { node: String, needs: Watts, has: Rack },
    /// The machines, with the fewest switches that join them, take more racks than there are.
    Racks { needs: u64, has: u64 },
    /// Limits that no candidate meets together, of which moving any one is enough.
    Clash(Vec<LimitMove>),
    /// No single limit is in the way: all of these have to move together. Empty where no such
    /// change was found.
    Together(Vec<LimitMove>),
    /// One of several workloads can't run.
    Workload { name: String, reason: Box<Infeasible> },
    /// A scenario of `[robust]` is too slow.
    Scenario { name: String, reason: Box<Infeasible> },
    /// One of several stages can't be built.
    Stage {
        /// Years after the first.
        year: f64,
        reason: Box<Infeasible>,
    },
    /// None of the choices that a budget allows has a design, and there are more: so many were
    /// tried.
    Unfinished {
        /// Choices of candidates for all clusters that were sized.
        tried: u64,
        /// Why the one that came furthest has none.
        reason: Box<Infeasible>,
    },
    /// A network ends the runs in their days if machines alone fail, and none that does with what
    /// breaks of it was found; slower ones that break less were not looked at.
    Late {
        /// Why the next one has no design.
        reason: Box<Infeasible>,
    },
    /// No design takes as little as one that is known.
    Dearer,
    /// Somebody ended the choice before there was a design.
    Interrupted,
    /// Neither a design nor a proof that there is none was found.
    Unknown,
}

impl Infeasible {
    /// Neither a design nor a proof that there is none was found.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    /// How far a candidate came before it failed: later steps weigh more.
    fn progress_before_failure(&self) -> u8 {
        match self {
            Self::Workload { reason, .. }
            | Self::Scenario { reason, .. }
            | Self::Stage { reason, .. }
            | Self::Late { reason }
            | Self::Unfinished { reason, .. } => reason.progress_before_failure(),
            Self::Several | Self::Dearer | Self::Interrupted => 0,
            Self::Layout(
                NoLayout::Illegal { .. } | NoLayout::Undivided { .. } | NoLayout::Gpus { .. },
            ) => 0,
            Self::Layout(
                NoLayout::Memory { .. } | NoLayout::Endless { .. } | NoLayout::TooMany { .. },
            )
            | Self::HostMemory { .. }
            | Self::NoLink { .. }
            | Self::Ports { .. } => 1,
            Self::NoSwitch { .. }
            | Self::NoMember { .. }
            | Self::NoSpace { .. }
            | Self::Unrouted { .. } => 2,
            Self::Slow { .. } | Self::Across { .. } | Self::Apart { .. } | Self::Stands { .. } => 3,
            Self::Irregular => 3,
            Self::RackPower { .. } | Self::Racks { .. } | Self::Hall(_) => 3,
            Self::Limits { .. } | Self::Clash(_) | Self::Together(_) => 4,
            Self::Unknown => 5,
        }
    }

    /// Limits are in the way: a job fits, and a network can be built.
    pub(crate) fn is_of_limits(&self) -> bool {
        match self {
            Self::Slow { .. }
            | Self::Stands { .. }
            | Self::Limits { .. }
            | Self::RackPower { .. }
            | Self::Racks { .. } => true,
            Self::Workload { reason, .. } | Self::Stage { reason, .. } => reason.is_of_limits(),
            Self::Late { .. } => true,
            _ => false,
        }
    }

    /// True where there may be a design still.
    pub(crate) const fn leaves_open(&self) -> bool {
        matches!(self, Self::Unknown | Self::Late { .. })
    }

    /// This reason with the name of the workload, where there are several.
    pub(crate) fn for_workload(self, scenario: &Scenario, workload: &Workload) -> Self {
        if scenario.workloads.len() == 1 || self == Self::Interrupted {
            return self;
        }
        Self::Workload { name: workload.name.clone(), reason: Box::new(self) }
    }

    /// This reason with the name of the cluster, where there are several.
    #[must_use]
    pub fn for_cluster(mut self, name: &ClusterName) -> Self {
        if let Self::Clash(moves) | Self::Together(moves) = &mut self {
            moves.iter_mut().for_each(|one| one.one_of_several = *name != ClusterName::Whole);
        }
        match name {
            _ if self == Self::Interrupted => self,
            ClusterName::Whole => self,
            ClusterName::Part(name) => {
                Self::Workload { name: name.clone(), reason: Box::new(self) }
            }
            ClusterName::Stage { year, .. } => Self::Stage { year: *year, reason: Box::new(self) },
        }
    }

    /// The one of two that came further; the first where both came as far.
    pub(crate) fn pick_further(one: Option<Self>, other: Self) -> Self {
        match one {
            // Of two that are too slow, the faster one says how far away the limit is.
            Some(Self::Slow { best, .. }) if matches!(&other, Self::Slow { best: faster, .. } if *faster < best) => {
                other
            }
            Some(one) if one.progress_before_failure() >= other.progress_before_failure() => one,
            _ => other,
        }
    }
}

impl From<NoLayout> for Infeasible {
    fn from(reason: NoLayout) -> Self {
        Self::Layout(reason)
    }
}

/// Bytes of a gibibyte.
const GIB: f64 = (1_u64 << 30) as f64;

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(reason) => reason.fmt(f),
            Self::Hall(problem) => problem.fmt(f),
            Self::HostMemory { node, needs, has } => write!(
                f,
                "the host of `{node}` would have to keep {:.0} GiB and takes {:.0} at most: \
                 offload less, or set `hardware.nodes.{node}.host_memory_max`",
                needs.as_f64() / GIB,
                has.as_f64() / GIB
            ),
            Self::NoSwitch { endpoints, gigabits } => write!(
                f,
                "no switch on offer joins `{endpoints}` NICs at {gigabits} Gb/s: offer larger or \
                 faster switches in `cluster.switches`, or allow more planes"
            ),
            Self::NoMember { family, endpoints, gigabits } => write!(
                f,
                "no `{family}` of switches on offer, joined at the rate of a NIC's link, holds \
                 `{endpoints}` NICs at {gigabits} Gb/s: offer larger or faster switches in \
                 `cluster.switches`, or another family in `cluster.fabric`"
            ),
            Self::Unrouted { reason } => write!(
                f,
                "the step can't be routed over the fabric of `cluster.fabric`, whose step is timed \
                 so: {reason}"
            ),
            Self::Ports { nic, needs } => write!(
                f,
                "the fabric of `cluster.fabric` takes {needs} ports of a NIC, each with its share \
                 of the rate, and `{nic}` has fewer: choose another NIC in `cluster.nic`, or state \
                 its ports (`hardware.nics.{nic}.max_planes`)"
            ),
            Self::NoLink { node, nic, cage, protocol, gigabits, end } => write!(
                f,
                "nothing joins `{nic}` of `{node}` (cage `{cage}`) at {gigabits} Gb/s to a network \
                 of the {protocol} switches on offer, as {end}: allow other switches or planes, \
                 state the cables' lengths (`cluster.host_cable_m`, `cluster.uplink_cable_m`) or \
                 the cage of your card (`hardware.nics.{nic}.cage`), or add what joins them to \
                 `[hardware.links]`"
            ),
            Self::Slow { limit, has, best } => write!(
                f,
                "`{limit}` allows {:.2} s for a step, the fastest fabric takes {:.2} s: relax it \
                 or change the layout",
                has.get(),
                best.get()
            ),
            Self::Across { needs } => write!(
                f,
                "of what leaves a domain {:.1} % has to cross rails and nothing forwards it: allow \
                 a spine in `cluster.fabric`",
                100.0 * needs
            ),
            Self::Apart { asked } => write!(
                f,
                "`limits.across_rails` asks for {asked} of the bandwidth of the NICs, and \
                 `cluster.fabric` = \"rail-only\" joins no rails: allow another fabric there, or \
                 leave the limit out"
            ),
            Self::Stands { pace } => write!(
                f,
                "no fabric that is fast enough leaves {:.0} % of the speed after every loss named \
                 by `limits.survive`: allow a second plane (`cluster.max_planes`) or machines that \
                 forward, ask for fewer losses, or lower `limits.survive_pace`",
                100.0 * pace
            ),
            Self::Irregular => f.write_str(
                "networks that are fast enough exist, but none of them is regular as \
                 `limits.regular` asks: allow more planes (`cluster.max_planes`) or more models of \
                 switches, or state `limits.regular = false`",
            ),
            Self::Several => f.write_str(
                "the cluster has parts or stages with a fabric each, and the question is about \
                 one: take one with `--part NAME`",
            ),
            Self::NoSpace { node } => write!(
                f,
                "racks are limited, and how much room `{node}` takes is not stated: set \
                 `hardware.nodes.{node}.rack_units`, or `racks` where it takes whole ones"
            ),
            Self::RackPower { node, needs, has } => write!(
                f,
                "`{node}` draws {} and does not fit a rack of {} units{}: raise {}",
                ExactAmount(&Amount::Power(*needs)),
                has.units,
                has.most_power().map_or_else(String::new, |most| format!(
                    " and {}",
                    ExactAmount(&Amount::Power(most))
                )),
                more_of(has)
            ),
            Self::Racks { needs, has } => write!(
                f,
                "the machines, what `[networks]` asks for and the fewest switches take {needs} \
                 racks alone, `limits.racks` is {has}: raise it, or allow more power or height in \
                 a rack"
            ),
            Self::Limits { budget, power, network } => {
                write_unmet_limits(f, *budget, *power, network)
            }
            Self::Clash(moves) => limits_clash_sentence(f, moves),
            Self::Together(moves) => move_together_sentence(f, moves),
            Self::Workload { name, reason } => write!(f, "workload `{name}`: {reason}"),
            Self::Scenario { name, reason } => write!(f, "scenario `{name}` of [robust]: {reason}"),
            Self::Stage { year, reason } => write!(f, "the stage of year {year}: {reason}"),
            Self::Late { reason } => {
                write!(f, "{reason}; a slower network that fails less may end in time")
            }
            Self::Unfinished { tried, reason } => write!(
                f,
                "{reason}; the same holds for the {tried} combinations of candidates that could \
                 cost least; others were not tried: state machines, NICs or planes to leave fewer"
            ),
            Self::Dearer => f.write_str("no design takes as little as one that is known"),
            Self::Interrupted => f.write_str("interrupted before any design was found"),
            Self::Unknown => f.write_str(
                "neither a design nor a proof that there is none was found in time: relax a limit",
            ),
        }
    }
}

fn write_unmet_limits(
    f: &mut fmt::Formatter<'_>,
    budget: Option<(Usd, Usd)>,
    power: Option<(Watts, Watts)>,
    network: &[sizing::LimitNeed],
) -> fmt::Result {
    f.write_str("these limits can't be met together: change one of them")?;
    if let Some((has, needs)) = budget {
        write!(
            f,
            "; `limits.budget` is {}, {} is possible ({} more)",
            StatedAmount(&Amount::Money(has)),
            ExactAmount(&Amount::Money(needs)),
            ExactAmount(&Amount::Money(needs - has))
        )?;
    }
    if let Some((has, needs)) = power {
        write!(
            f,
            "; `limits.power` is {}, {} is possible ({} more)",
            StatedAmount(&Amount::Power(has)),
            ExactAmount(&Amount::Power(needs)),
            ExactAmount(&Amount::Power(needs - has))
        )?;
    }
    network.iter().try_for_each(|need| write!(f, "; {need}"))
}

impl std::error::Error for Infeasible {}
