//! Least totals of every design that holds a given part.
//!
//! A part that is bought or owned costs max(0, n - stock) * price >= m * (n - stock) for every
//! m from 0 to the price. With m = price or 0 for each stocked part the right side is a sum over
//! switches and links, and every endpoint still to be served adds at least the least share of a
//! switch that may serve it.

use crate::feasible_set::cost::{Totals, Use};
use crate::feasible_set::instance::{Family, Instance, MODELS, NODE_WATTS};
use crate::feasible_set::site::Site;

/// A sum over switches and links that no design falls below.
struct Weights {
    switches: [f64; MODELS],
    /// Of a link between switches.
    link: f64,
    /// What every design has, less what its stock is worth.
    always: f64,
    /// Least share of an endpoint still to be served.
    endpoint: f64,
}

/// Bounds of a site.
pub(crate) struct Bounds {
    capex: Vec<Weights>,
    power: Weights,
}

impl Bounds {
    /// Bounds of a site.
    pub(crate) fn new(site: &Site<'_>) -> Self {
        let instance = site.instance;
        let optic = instance.optic(site.planes);
        let hosts = f64::from(site.planes * instance.endpoints());
        let fixed = f64::from(instance.domains) * instance.node_price as f64
            + f64::from(instance.endpoints()) * instance.nic_price as f64;
        let mut capex = Vec::new();
        for free in 0..1_u32 << (MODELS + 1) {
            let weighed = |at: usize| free >> at & 1 == 0;
            let mut always = fixed;
            let mut switches = [0.0; MODELS];
            for (at, switch) in instance.switches.iter().enumerate() {
                if weighed(at) {
                    switches[at] = switch.price as f64;
                    always -= f64::from(switch.stock) * switch.price as f64;
                }
            }
            let end = if weighed(MODELS) { optic.price as f64 } else { 0.0 };
            always += end * (2.0 * hosts - f64::from(optic.stock));
            capex.push(Weights::new(site, switches, 2.0 * end, always));
        }
        let mut switches = [0.0; MODELS];
        for (at, switch) in instance.switches.iter().enumerate() {
            switches[at] = f64::from(switch.watts);
        }
        let always = f64::from(instance.domains * NODE_WATTS) + 2.0 * hosts * optic.watts;
        Self { capex, power: Weights::new(site, switches, 2.0 * optic.watts, always) }
    }

    /// Least totals of designs that hold a part, where so many endpoints are served by switches
    /// that the part lacks.
    pub(crate) fn least(&self, part: &Use, rest: u32) -> Totals {
        let mut capex: f64 = 0.0;
        for weights in &self.capex {
            capex = capex.max(weights.sum(part, rest));
        }
        Totals { capex, power: self.power.sum(part, rest), racks: 0 }
    }
}

impl Weights {
    fn new(site: &Site<'_>, switches: [f64; MODELS], link: f64, always: f64) -> Self {
        let mut endpoint = f64::INFINITY;
        for (model, price) in switches.iter().enumerate().filter(|(at, _)| site.radix[*at] > 0) {
            let ports = site.radix[model];
            if ports >= site.ends() {
                endpoint = endpoint.min(price / f64::from(ports));
            }
            for down in 1..ports {
                let up = (down * least_share(site.instance)).div_ceil(1000).max(1);
                if down + up <= ports {
                    endpoint = endpoint.min((price + f64::from(up) * link) / f64::from(down));
                }
            }
        }
        Self { switches, link, always, endpoint }
    }

    fn sum(&self, part: &Use, rest: u32) -> f64 {
        // Called more often than all else: written out, it is fast in every build.
        let ([a, b, c], [x, y, z]) = (part.switches, self.switches);
        let switches = f64::from(a) * x + f64::from(b) * y + f64::from(c) * z;
        // None can be served where no switch has ports: infinite, but for none at all.
        let rest = if rest == 0 { 0.0 } else { f64::from(rest) * self.endpoint };
        self.always + switches + f64::from(part.links) * self.link + rest
    }
}

/// Least uplink over downlink bandwidth of a leaf, in thousandths: a leaf of whole rails keeps
/// only the floor across rails.
fn least_share(instance: &Instance) -> u32 {
    match instance.family {
        Family::RailOptimized => instance.across,
        Family::Auto if instance.across > 0 => instance.across,
        Family::Auto | Family::RailOnly | Family::Clos => {
            let (within, across) = instance.floors();
            within.max(across)
        }
    }
}
