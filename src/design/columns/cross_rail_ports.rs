//! What a leaf switch needs towards a spine across rails beside its uplinks within the rail, for a
//! step that is just fast enough. Makes no build.

use super::binary_search::{evaluate_nonincreasing, first_that_holds, first_that_holds_near};
use super::cache::SizingCache;
use super::context::ColumnContext;
use crate::design::job::machine::Level;
use crate::fabric::{Ratio, WeightCeiling, WeightScale};

/// By endpoints below a leaf switch and by its uplinks within the rail the fewest ports across
/// rails with which a step is fast enough.
#[derive(Debug, Default)]
pub(in crate::design) struct CrossRailNeeds {
    /// Ports across rails of a leaf switch without uplinks within the rail: they carry both.
    shared: Vec<(u32, u32)>,
    leafs_with_endpoints: Vec<LeafWithEndpoints>,
}

/// Leaf switches with so many endpoints each and uplinks within their rail.
#[derive(Debug)]
struct LeafWithEndpoints {
    down: u32,
    /// Fewer uplinks than this are too slow, whatever the ports across rails.
    fewest_uplinks: u32,
    /// Entry i: the fewest ports across rails beside `fewest` + i uplinks.
    across: Vec<Option<u32>>,
    /// So many uplinks need none; `None` where so many are of no use.
    enough: Option<u32>,
}

/// Share of the endpoints.
fn share_of_endpoints(ports: u32, down: u32) -> Ratio {
    Ratio::uplinks_per_downlink(ports, down)
}

impl CrossRailNeeds {
    /// Of all leaf switches that the models on offer can be and that may be part of a plane which a
    /// ceiling admits.
    ///
    /// Beside uplinks within a rail what is fast enough without a spine across rails is left out:
    /// the same leaf switches without it need less.
    pub(super) fn needs_of_all_leaf_switches(
        context: &ColumnContext<'_>,
        ceiling: &WeightCeiling,
        cache: &mut SizingCache,
    ) -> Self {
        let mut needs = Self::default();
        let widest = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
        // What one leaf switch has beside its endpoints: uplinks of both kinds.
        let heavy = first_that_holds(1, widest, |uplinks| {
            !ceiling.can_admit_build(|scale| least_weight_with(context, scale, uplinks))
        });
        let light = heavy.map_or(widest, |heavy| heavy - 1);
        let mut fits = |down: u32, up: u32, across: u32| {
            let share = |ports| share_of_endpoints(ports, down).to_f64();
            let balance = context.job.machine.balance;
            let [within, across] = [up, across].map(share);
            let level =
                Level::with_leaf_border(Some(down), [within, across], balance, context.planes);
            context.is_fast_enough(cache.blended_step_time(context, level))
        };
        let corrected = context.job.is_corrected();
        // A leaf switch with one endpoint more needs about as many ports.
        let mut near = [1; 3];
        for down in 1..widest.min(context.job.networked_domains().saturating_add(1)) {
            let free = widest - down;
            // Leaf switches without spines of their own reach the rest of their rail by the shared
            // ones.
            let shared =
                first_that_holds_near(near[0], free.min(down).min(light), |up| fits(down, up, up));
            needs.shared.extend(shared.map(|up| (down, up)));
            // Step time falls as uplinks are added: fewer than `enough` need a spine across rails.
            let enough = first_that_holds_near(near[1], down.min(light), |up| fits(down, up, 0));
            let end = enough.unwrap_or(down + 1);
            // Too few of them are too slow even where nothing is in the way across rails.
            let fewest = first_that_holds_near(near[2], end - 1, |up| fits(down, up, down));
            near = [shared.unwrap_or(down + 1), end, fewest.unwrap_or(end)];
            let Some(fewest) = fewest else { continue };
            // As many ports across rails as uplinks within carry together what either carries: a
            // step may take longer there than with one port less.
            let mut beside = |up: u32, across: u32| {
                fits(down, up, across) || across == up && fits(down, up, across - 1)
            };
            let least = |up: u32, guess: u32| {
                first_that_holds_near(guess, down, |across| beside(up, across)).unwrap_or(down + 1)
            };
            let mut across =
                LeafWithEndpoints::min_cross_rail_ports(down, fewest, end, light, corrected, least);
            for (up, across) in (fewest..).zip(&mut across) {
                // A rail on one leaf switch needs no uplinks within it.
                let own = if up == down { 0 } else { up };
                let room =
                    |count: &u32| own + count <= light && own + count <= free && *count <= down;
                *across = across.filter(room);
            }
            needs.leafs_with_endpoints.push(LeafWithEndpoints {
                down,
                fewest_uplinks: fewest,
                across,
                enough,
            });
        }
        needs
    }

    /// Shares within and across rails that are just enough, each pair once: with a smaller share of
    /// either more of the other is needed. No share within where leaf switches have no uplinks of
    /// their own. None that is too heavy where all leaf switches are so: then every endpoint has as
    /// many uplinks.
    pub(super) fn uplink_pairs(
        &self,
        context: &ColumnContext<'_>,
        ceiling: &WeightCeiling,
    ) -> Vec<(Ratio, Ratio)> {
        let shared =
            self.shared.iter().map(|(down, up)| (Ratio::ZERO, share_of_endpoints(*up, *down)));
        let beside = self.leafs_with_endpoints.iter().flat_map(|endpoints| {
            let mut least = u32::MAX;
            let pair = move |(up, across): (u32, &Option<u32>)| {
                // A rail on one leaf switch has none within it: its share is not a larger one.
                let across = across.filter(|across| *across < least || up == endpoints.down)?;
                least = across;
                Some((
                    share_of_endpoints(up, endpoints.down),
                    share_of_endpoints(across, endpoints.down),
                ))
            };
            (endpoints.fewest_uplinks..).zip(&endpoints.across).filter_map(pair)
        });
        let mut pairs: Vec<(Ratio, Ratio)> = shared.chain(beside).collect();
        pairs.retain(|(within, across)| may_be_light(*within, *across, context, ceiling));
        pairs.sort_unstable();
        pairs.dedup();
        // Those first whose uplinks weigh least: where the lightest fabric alone counts, they leave
        // out the others.
        let uplinks = |(within, across): (Ratio, Ratio)| within.to_f64().min(1.0) + across.to_f64();
        pairs.sort_by(|a, b| uplinks(*a).total_cmp(&uplinks(*b)));
        pairs
    }

    /// The fewest ports across rails that any leaf switch with uplinks of its own needs; `None`
    /// where a spine across rails is of no use beside them.
    pub(in crate::design) fn least_across(&self) -> Option<u32> {
        self.leafs_with_endpoints
            .iter()
            .flat_map(|endpoints| endpoints.across.iter().flatten())
            .min()
            .copied()
    }

    /// By uplinks the most endpoints of a leaf switch of so many ports of which so many lead across
    /// rails; 0 where there may be none.
    pub(super) fn max_endpoints(&self, radix: u32, across: u32) -> Vec<u32> {
        let mut table = vec![0; radix as usize];
        for endpoints in &self.leafs_with_endpoints {
            let free = radix.saturating_sub(endpoints.down + across);
            for (up, entry) in (0..=free).zip(&mut table) {
                if endpoints.across_ports_needed(up).is_some_and(|needs| needs <= across) {
                    *entry = (*entry).max(endpoints.down);
                }
            }
        }
        table
    }
}

impl LeafWithEndpoints {
    /// The fewest ports across rails of a leaf switch with `down` endpoints beside `fewest` uplinks
    /// and so on before
    /// `end`, as `least` knows them with a guess; those that are too many among them, and `None` beside more uplinks
    /// than are light, unless all endpoints have one. Where routing corrected the clock at some
    /// levels, each is asked for by itself.
    fn min_cross_rail_ports(
        down: u32,
        fewest: u32,
        end: u32,
        light: u32,
        corrected: bool,
        mut least: impl FnMut(u32, u32) -> u32,
    ) -> Vec<Option<u32>> {
        let last = (end - 1).min(light);
        let mut across = vec![None; (end - fewest) as usize];
        if fewest <= last {
            // More uplinks within a rail never ask for more ports across rails, but for as many as
            // there are uplinks: those carry together what they carry.
            let sure = |up: u32, across: u32| !corrected && across != up + 1;
            let all = evaluate_nonincreasing(fewest, last, &mut least, sure);
            for ((up, place), known) in (fewest..).zip(&mut across).zip(all) {
                *place = Some(if known == up { least(up, up) } else { known });
            }
        }
        if last < down && end > down {
            across[(down - fewest) as usize] = Some(least(down, 1));
        }
        across
    }

    /// Ports across rails beside so many uplinks.
    fn across_ports_needed(&self, up: u32) -> Option<u32> {
        // More uplinks than endpoints are of no use.
        let up = up.min(self.down);
        if self.enough.is_some_and(|enough| up >= enough) {
            return Some(0);
        }
        let place = up.checked_sub(self.fewest_uplinks)?;
        self.across.get(place as usize).copied().flatten()
    }
}

/// False where all rails of a plane are too heavy by a ceiling if all leaf switches have such
/// shares within and across rails.
pub(super) fn may_be_light(
    within: Ratio,
    across: Ratio,
    context: &ColumnContext<'_>,
    ceiling: &WeightCeiling,
) -> bool {
    // A rail on one leaf switch has no uplinks within it.
    let within = if within >= Ratio::ONE { 0.0 } else { within.to_f64() };
    ceiling.can_admit_build(|scale| least_weight(context, scale, within + across.to_f64()))
}

/// What all rails of a plane weigh at least where each endpoint has so many uplinks of its leaf
/// switch: every port in use, of the model whose ports weigh least, and every link.
pub(super) fn least_weight(context: &ColumnContext<'_>, scale: &WeightScale, uplinks: f64) -> f64 {
    let port = scale.lightest_port(context.skus);
    let endpoints = context.job.endpoints() as f64;
    endpoints * ((1.0 + 2.0 * uplinks) * port + (1.0 + uplinks) * scale.link)
}

/// What all rails of a plane weigh at least where one leaf switch of each has so many uplinks, for
/// all its endpoints together.
fn least_weight_with(context: &ColumnContext<'_>, scale: &WeightScale, uplinks: u32) -> f64 {
    let each = 2.0 * scale.lightest_port(context.skus) + scale.link;
    let rails = f64::from(context.job.machine.node.nics);
    least_weight(context, scale, 0.0) + rails * f64::from(uplinks) * each
}
