//! How many flows of NIC rate leave a leaf at once: what its uplinks have to carry. Knows a leaf
//! only as a number of domains.

use std::collections::BTreeMap;

use super::border_crossing::{BorderCrossing, unlike_leafs};
use super::matrix::terms_of_call;
use super::patch::Patch;
use super::patch_counts::sweep_patches;
use super::term::MatrixTerm;
use crate::collective::Policy;
use crate::parallel::{Digit, Placed, Rank};
use crate::step::{Communication, Step};
use crate::units::Bytes;

/// What one communication sends over the borders of domains, kept so that leafs of several sizes
/// can be held against it.
#[derive(Clone, Debug)]
pub struct LeafCuts {
    /// The most bytes of an interface in one call.
    interface: Bytes,
    domains: u32,
    crossings: Crossings,
}

/// What crosses the borders of domains.
#[derive(Clone, Debug)]
enum Crossings {
    /// Every digit lies inside domains or across them: a patch then moves all its sources by the
    /// same number of domains, and takes part at an index of the domain either in all of its
    /// domains or in none.
    Patches { bytes: Vec<Bytes>, crossings: Vec<BorderCrossing>, profiles: Vec<Vec<u128>> },
    /// Grids that domain borders cut unevenly: by rail what its interfaces send to other domains.
    /// Rails that are alike stand once.
    Flows(Vec<Vec<DomainFlow>>),
}

/// Bytes from one domain to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DomainFlow {
    from: u32,
    to: u32,
    bytes: Bytes,
    messages: u64,
}

/// What leaves the fullest leaf on one rail in a call.
#[derive(Clone, Copy, Debug, Default)]
struct LeavingFlows {
    bytes: Bytes,
    /// Messages of one size that would load links as unevenly: the square of all bytes over the sum
    /// of each message's square.
    messages: f64,
}

impl LeavingFlows {
    /// Of so many messages of so many bytes each.
    fn from_messages(messages: impl Iterator<Item = (f64, Bytes)> + Clone) -> Self {
        let bytes = messages.clone().map(|(count, size)| size.as_f64() * count).sum::<f64>();
        let squares =
            messages.map(|(count, size)| size.as_f64() * size.as_f64() * count).sum::<f64>();
        let messages = if squares > 0.0 { bytes * bytes / squares } else { 0.0 };
        Self { bytes: Bytes::new(bytes as u128), messages }
    }
}

/// Cut multiplicity c of one communication for leafs that hold one rail of `domains`
/// consecutive domains each: the most bytes that leave any leaf's border in one call, over the
/// bytes that the busiest interface sends in that call. u uplinks slow the call max(1, c/u)
/// times (docs/equations.md §8.5). 0 where nothing leaves its domain.
///
/// Ranks of all stages are taken to call at the same time. Stages that never take part in a
/// step send nothing.
#[must_use]
pub fn leaf_cut(
    step: &Step,
    communication: &Communication,
    placed: &Placed,
    policy: &Policy,
    domains: u32,
) -> f64 {
    LeafCuts::new(step, communication, placed, policy).cut_at_leaf_size(domains)
}

impl LeafCuts {
    /// What one call of the communication sends between domains.
    #[must_use]
    pub fn new(
        step: &Step,
        communication: &Communication,
        placed: &Placed,
        policy: &Policy,
    ) -> Self {
        let terms = terms_of_call(step, communication, placed, policy);
        if placed.is_aligned() {
            leaf_cuts_by_patches(&terms, placed)
        } else {
            leaf_cuts_by_ranks(&terms, placed)
        }
    }

    /// Cut multiplicity for leafs of so many domains, as [`leaf_cut`].
    #[must_use]
    pub fn cut_at_leaf_size(&self, domains: u32) -> f64 {
        if self.interface.is_zero() {
            return 0.0;
        }
        self.max_leaf_border_bytes(domains.max(1)).as_f64() / self.interface.as_f64()
    }

    /// Messages of one size that would load the uplinks of the fullest leaf as unevenly as those do
    /// that leave it; 0 where nothing does.
    #[must_use]
    pub fn fullest_leaf_messages(&self, domains: u32) -> u64 {
        let leaf = domains.max(1);
        let most = |all: LeavingFlows, leaving_flows: LeavingFlows| {
            if leaving_flows.bytes > all.bytes { leaving_flows } else { all }
        };
        let fullest = match &self.crossings {
            Crossings::Patches { bytes, crossings, profiles } => {
                let of_leaf = |first: u32| {
                    let leaving = self.sending_domains(crossings, first, leaf);
                    let of_rail =
                        |profile: &Vec<u128>| {
                            let counted = bytes.iter().zip(profile).zip(leaving.iter());
                            LeavingFlows::from_messages(counted.map(|((bytes, gpus), count)| {
                                (*gpus as f64 * *count as f64, *bytes)
                            }))
                        };
                    profiles.iter().map(of_rail).fold(LeavingFlows::default(), most)
                };
                let firsts = unlike_leafs(crossings, self.domains, leaf);
                firsts.into_iter().map(of_leaf).fold(LeavingFlows::default(), most)
            }
            Crossings::Flows(rails) => {
                let leafs = self.domains.div_ceil(leaf);
                let of_leaf = |flows: &Vec<DomainFlow>, at: u32| {
                    let leaving =
                        flows.iter().filter(|flow| flow.from / leaf == at && flow.to / leaf != at);
                    let each = |flow: &DomainFlow| {
                        (
                            flow.messages as f64,
                            flow.bytes.equal_share(u128::from(flow.messages.max(1))),
                        )
                    };
                    LeavingFlows::from_messages(leaving.map(each))
                };
                let all = rails
                    .iter()
                    .flat_map(|domain_flows| (0..leafs).map(move |at| of_leaf(domain_flows, at)));
                all.fold(LeavingFlows::default(), most)
            }
        };
        fullest.messages.round() as u64
    }

    /// Domains of the leaf from `first` on that send over its border, by crossing.
    fn sending_domains(&self, crossings: &[BorderCrossing], first: u32, leaf: u32) -> Vec<u64> {
        let end = first.saturating_add(leaf).min(self.domains);
        crossings.iter().map(|crossing| crossing.senders_leaving(first, end)).collect()
    }

    /// Most bytes over the border of any leaf.
    fn max_leaf_border_bytes(&self, leaf: u32) -> Bytes {
        match &self.crossings {
            Crossings::Patches { bytes, crossings, profiles } => {
                let firsts = unlike_leafs(crossings, self.domains, leaf);
                let cuts = firsts.into_iter().map(|first| {
                    most_of_a_rail(bytes, profiles, &self.sending_domains(crossings, first, leaf))
                });
                cuts.max().unwrap_or_default()
            }
            Crossings::Flows(rails) => {
                let cut = |flows: &Vec<DomainFlow>| {
                    let mut cuts = vec![Bytes::ZERO; self.domains.div_ceil(leaf) as usize];
                    for DomainFlow { from, to, bytes, .. } in flows {
                        if to / leaf != from / leaf {
                            cuts[(from / leaf) as usize] += *bytes;
                        }
                    }
                    cuts.into_iter().max().unwrap_or_default()
                };
                rails.iter().map(cut).max().unwrap_or_default()
            }
        }
    }
}

/// Bytes over the border of a leaf on the rail that sends most.
fn most_of_a_rail(bytes: &[Bytes], profiles: &[Vec<u128>], leaving: &[u64]) -> Bytes {
    let of_rail = |profile: &Vec<u128>| {
        let counted = bytes.iter().zip(profile).zip(leaving);
        counted.map(|((bytes, gpus), count)| *bytes * (gpus * u128::from(*count))).sum()
    };
    profiles.iter().map(of_rail).max().unwrap_or_default()
}

fn leaf_cuts_by_patches(terms: &[MatrixTerm], placed: &Placed) -> LeafCuts {
    let placement = placed.placement();
    let digits = placed.grid().digits();
    let inner =
        digits.iter().take_while(|digit| digit.stride < placement.used_gpus_per_domain()).count();
    let across: Vec<Patch> = terms
        .iter()
        .flat_map(|term| term.disjoint_patches(placed.grid()))
        .filter(|patch| patch.delta[inner..].iter().any(|moved| *moved != 0))
        .collect();
    let outer = domain_digits(&digits[inner..], placement.used_gpus_per_domain());
    let domains = placement.domains_for_ranks(placed.grid().ranks());
    // How many GPUs of a rail take part in each patch; most rails are alike.
    let mut rails: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
    for index in 0..placement.used_gpus_per_domain().min(placed.grid().ranks()) {
        let sharing =
            rails.entry(placement.rail_at(index)).or_insert_with(|| vec![0; across.len()]);
        for (count, patch) in sharing.iter_mut().zip(&across) {
            *count += u128::from(patch.has_inner_source(Rank(index), &digits[..inner]));
        }
    }
    let mut profiles: Vec<Vec<u128>> = rails.into_values().collect();
    profiles.sort_unstable();
    profiles.dedup();
    let mut interface = Bytes::ZERO;
    for profile in &profiles {
        let shared: Vec<Patch> = across
            .iter()
            .zip(profile)
            .filter(|(_, gpus)| **gpus > 0)
            .map(|(patch, gpus)| Patch { bytes: patch.bytes * *gpus, ..patch.clone() })
            .collect();
        let all: Vec<&Patch> = shared.iter().collect();
        sweep_patches(&all, inner, digits.len(), 1, &mut |_, patches| {
            interface = interface.max(patches.iter().map(|patch| patch.bytes).sum());
        });
    }
    let crossings =
        across.iter().map(|patch| BorderCrossing::from_patch(patch, inner, &outer)).collect();
    let bytes = across.iter().map(|patch| patch.bytes).collect();
    LeafCuts { interface, domains, crossings: Crossings::Patches { bytes, crossings, profiles } }
}

/// The digits across domains, counted in domains.
fn domain_digits(digits: &[Digit], used: u32) -> Vec<Digit> {
    digits.iter().map(|digit| Digit { stride: digit.stride / used, ..*digit }).collect()
}

/// Rank by rank. Ranks of a domain follow each other, so that what its interfaces send to another
/// domain is summed up before the next domain begins.
fn leaf_cuts_by_ranks(terms: &[MatrixTerm], placed: &Placed) -> LeafCuts {
    let placement = placed.placement();
    let grid = placed.grid();
    let domains = placement.domains_for_ranks(grid.ranks());
    let mut rails: Vec<Vec<DomainFlow>> = vec![Vec::new(); placement.rails() as usize];
    let mut interface = Bytes::ZERO;
    for from in 0..domains {
        let mut sent: BTreeMap<(u32, u32), (Bytes, u64)> = BTreeMap::new();
        let first = from * placement.used_gpus_per_domain();
        for rank in (first..(first + placement.used_gpus_per_domain()).min(grid.ranks())).map(Rank)
        {
            let rail = placement.rail_of(rank);
            let stage = grid.pipeline_stage(rank) as usize;
            for term in terms {
                let bytes = term.bytes[stage];
                for target in term.targets_of_rank(rank, stage, grid.digits()) {
                    let to = placement.domain_of(target);
                    if to != from {
                        let pair = sent.entry((rail, to)).or_default();
                        pair.0 += bytes;
                        pair.1 += 1;
                    }
                }
            }
        }
        let mut of_rail = vec![Bytes::ZERO; rails.len()];
        for ((rail, to), (bytes, messages)) in sent {
            of_rail[rail as usize] += bytes;
            rails[rail as usize].push(DomainFlow { from, to, bytes, messages });
        }
        interface = of_rail.into_iter().fold(interface, Bytes::max);
    }
    rails.sort_unstable();
    rails.dedup();
    LeafCuts { interface, domains, crossings: Crossings::Flows(rails) }
}
