//! Grids: HyperX (Ahn et al., SC 2009), whose lines of switches are fully joined, and tori, whose
//! lines of endpoints close to rings.

use super::super::wiring::Wiring;
use super::place::{attach, switches};
use crate::fabric::{HyperX, LinkClass, Medium, Torus};

/// Switches of a HyperX, joined to all others of each of their lines.
pub(super) fn hyperx(wiring: &mut Wiring, of: &HyperX) {
    let sizes: Vec<u64> = of.dimensions.iter().map(|(size, _)| u64::from(*size)).collect();
    let all = switches(wiring, sizes.iter().product());
    attach(wiring, of.endpoints, &all);
    let mut stride = 1;
    for (size, parallel) in &of.dimensions {
        let size = u64::from(*size);
        for place in 0..all.len() as u64 {
            let own = place / stride % size;
            for other in own + 1..size {
                let [low, high] = [place, place + (other - own) * stride];
                let ends = (all[low as usize], all[high as usize]);
                wiring.join(ends.0, ends.1, *parallel, LinkClass::Local, Medium::Optical);
            }
        }
        stride *= size;
    }
}

/// Endpoints of a torus, joined to the next one of each of their rings.
pub(super) fn torus(wiring: &mut Wiring, of: &Torus) {
    let endpoints: u64 = of.sizes.iter().map(|size| u64::from(*size)).product();
    let mut stride = 1;
    for size in of.sizes.iter().map(|size| u64::from(*size)) {
        for place in 0..endpoints {
            let own = place / stride % size;
            let next = (own + 1) % size;
            // A ring of two has one link, one of one has none.
            if next != own && (size > 2 || own == 0) {
                wiring.direct(place, place - own * stride + next * stride, Medium::Optical);
            }
        }
        stride *= size;
    }
}
