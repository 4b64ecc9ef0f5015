//! What a leaf switch needs towards a spine across rails beside its uplinks within the rail, for a
//! step that is just fast enough. Makes no build.

use super::cache::Cache;
use super::context::Context;
use super::halving::{first, first_near};
use crate::design::candidate::machine::Level;
use crate::fabric::{Ceiling, Ratio, Scale};

/// By endpoints below a leaf switch and by its uplinks within the rail the fewest ports across rails
/// with which a step is fast enough.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Ports across rails of a leaf switch without uplinks within the rail: they carry both.
    shared: Vec<(u32, u32)>,
    beside: Vec<Beside>,
}

/// Leaf switches with so many endpoints each and uplinks within their rail.
#[derive(Debug)]
struct Beside {
    down: u32,
    /// Fewer uplinks than this are too slow, whatever the ports across rails.
    fewest: u32,
    /// Entry i: the fewest ports across rails beside `fewest` + i uplinks.
    across: Vec<Option<u32>>,
    /// So many uplinks need none; more than the endpoints where none do.
    enough: u32,
}

/// Share of the endpoints.
fn share(ports: u32, down: u32) -> Ratio {
    Ratio::uplinks_per_downlink(ports, down)
}

impl Needs {
    /// Of all leaf switches that the models on offer can be.
    ///
    /// Beside uplinks within a rail what is fast enough without a spine across rails is left out: the
    /// same leaf switches without it need less.
    pub(super) fn of(context: &Context<'_>, cache: &mut Cache) -> Self {
        let mut needs = Self::default();
        let widest = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
        let mut fits = |down: u32, up: u32, across: u32| {
            let share = |ports| share(ports, down).as_f64();
            let balance = context.job.machine.balance;
            let [within, across] = [up, across].map(share);
            let level = Level::bordered(Some(down), [within, across], (balance, context.planes));
            context.admits(cache.time(context, level))
        };
        for down in 1..widest.min(context.job.domains.saturating_add(1)) {
            let free = widest - down;
            // Leaf switches without spines of their own reach the rest of their rail by the shared ones.
            let shared = first(1, free.min(down), |up| fits(down, up, up));
            needs.shared.extend(shared.map(|up| (down, up)));
            // Step time falls as uplinks are added: fewer than `enough` need a spine across rails.
            let enough = first(1, down, |up| fits(down, up, 0)).unwrap_or(down + 1);
            // Too few of them are too slow even where nothing is in the way across rails.
            let Some(fewest) = first(1, enough - 1, |up| fits(down, up, down)) else { continue };
            // With fewer uplinks within a rail hardly fewer are enough across rails.
            let mut guess = 1;
            let mut across = vec![None; (enough - fewest) as usize];
            for up in (fewest..enough).rev() {
                // A rail on one leaf switch needs no uplinks within it.
                let most = if up == down { free } else { free.saturating_sub(up) };
                let least = first_near(guess, most.min(down), |across| fits(down, up, across));
                across[(up - fewest) as usize] = least;
                guess = least.unwrap_or(most + 1);
            }
            needs.beside.push(Beside { down, fewest, across, enough });
        }
        needs
    }

    /// Shares within and across rails that are just enough, each pair once; no share within where
    /// leaf switches have no uplinks of their own. None that is too heavy where all leaf switches are
    /// so: then every endpoint has as many uplinks.
    pub(super) fn pairs(&self, context: &Context<'_>, ceiling: &Ceiling) -> Vec<(Ratio, Ratio)> {
        let shared = self.shared.iter().map(|(down, up)| (Ratio::ZERO, share(*up, *down)));
        let beside = self.beside.iter().flat_map(|of| {
            let pair = |(up, across): (u32, &Option<u32>)| {
                across.map(|across| (share(up, of.down), share(across, of.down)))
            };
            (of.fewest..).zip(&of.across).filter_map(pair)
        });
        let mut pairs: Vec<(Ratio, Ratio)> = shared.chain(beside).collect();
        pairs.retain(|pair| may_be_light(*pair, context, ceiling));
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The fewest ports across rails that any leaf switch with uplinks of its own needs; `None` where
    /// a spine across rails is of no use beside them.
    pub(super) fn least_across(&self) -> Option<u32> {
        self.beside.iter().flat_map(|of| of.across.iter().flatten()).min().copied()
    }

    /// By uplinks the most endpoints of a leaf switch of so many ports of which so many lead across
    /// rails; 0 where there may be none.
    pub(super) fn widest(&self, radix: u32, across: u32) -> Vec<u32> {
        let mut table = vec![0; radix as usize];
        for of in &self.beside {
            let free = radix.saturating_sub(of.down + across);
            for (up, entry) in (0..=free).zip(&mut table) {
                if of.needs(up).is_some_and(|needs| needs <= across) {
                    *entry = (*entry).max(of.down);
                }
            }
        }
        table
    }
}

impl Beside {
    /// Ports across rails beside so many uplinks.
    fn needs(&self, up: u32) -> Option<u32> {
        // More uplinks than endpoints are of no use.
        let up = up.min(self.down);
        if up >= self.enough {
            return Some(0);
        }
        let place = up.checked_sub(self.fewest)?;
        self.across.get(place as usize).copied().flatten()
    }
}

/// False where all rails of a plane are too heavy by a ceiling if all leaf switches have such shares within
/// and across rails.
pub(super) fn may_be_light(
    (within, across): (Ratio, Ratio),
    context: &Context<'_>,
    ceiling: &Ceiling,
) -> bool {
    // A rail on one leaf switch has no uplinks within it.
    let within = if within >= Ratio::ONE { 0.0 } else { within.as_f64() };
    ceiling.admits(|scale| least_weight(context, scale, within + across.as_f64()))
}

/// What all rails of a plane weigh at least where each endpoint has so many uplinks of its leaf switch:
/// every port in use, of the model whose ports weigh least, and every link.
pub(super) fn least_weight(context: &Context<'_>, scale: &Scale, uplinks: f64) -> f64 {
    let ports = context.skus.iter().map(|sku| f64::from(sku.radix.max(1)));
    let each = scale.switches.iter().zip(ports).map(|(switch, ports)| switch / ports);
    let port = each.fold(f64::INFINITY, f64::min);
    let port = if port.is_finite() { port } else { 0.0 };
    let endpoints = context.job.endpoints() as f64;
    endpoints * ((1.0 + 2.0 * uplinks) * port + (1.0 + uplinks) * scale.link)
}
