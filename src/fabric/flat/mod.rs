//! Fabrics that are no trees. Each is counted in closed form by a function of its own.

mod any;
mod dragonfly;
mod hamming_mesh;
mod hyperx;
mod member;
mod slim_fly;
mod torus;
mod zcube;

pub use any::counts;
pub use dragonfly::{Dragonfly, Groups};
pub use hamming_mesh::HammingMesh;
pub use hyperx::HyperX;
pub(super) use member::Member;
pub use slim_fly::SlimFly;
pub use torus::Torus;
pub use zcube::ZCube;

use super::{Counts, FabricKind, LinkGroup, Medium, Tier, TierName};
use crate::units::Bandwidth;

/// What these fabrics have in common: one layer of alike anonymous switches.
struct Flat {
    kind: FabricKind,
    endpoints: u64,
    rails: u32,
    link: Bandwidth,
    switches: u64,
    /// Ports of a switch, those towards endpoints among them.
    radix: u32,
    down: u32,
    host_links: u64,
    host_medium: Medium,
    other_links: Vec<LinkGroup>,
}

impl Flat {
    /// Counts, with both ends of every link between switches at a port. `across` is what any
    /// two halves of the endpoints have between them at worst, over their NIC bandwidth.
    fn counts(self, across: f64) -> Counts {
        let between: u64 = self.other_links.iter().map(|group| group.count).sum();
        let tier = Tier {
            name: TierName::Leaf,
            model: String::new(),
            radix: self.radix,
            count: self.switches,
            down: self.down,
            // Links to other switches, which stand for those to a layer above.
            up: (2 * between).div_ceil(self.switches.max(1)) as u32,
            ports_used: self.host_links + 2 * between,
        };
        let tiers = if self.switches > 0 { vec![tier] } else { Vec::new() };
        Counts {
            kind: self.kind,
            planes: 1,
            rails: self.rails,
            endpoints: self.endpoints,
            link: self.link,
            uplink: self.link,
            tiers,
            host_links: self.host_links,
            host_medium: self.host_medium,
            leaf_spine_links: 0,
            spine_core_links: 0,
            other_links: self.other_links.into_iter().filter(|group| group.count > 0).collect(),
            within_rail: across,
            across_rails: across,
            leaf_domains: None,
        }
    }
}
