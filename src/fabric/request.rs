//! What is asked of a tree of switches. Checks the question; the answer is `tree`'s.

use super::{FabricKind, FabricProblem, FabricShape, Ratio};
use crate::hardware::Switch;
use crate::units::Bandwidth;

/// Most ports of a switch that a request may name: far above any switch that exists, low enough
/// that no count overflows.
pub(super) const MOST_PORTS: u32 = 1 << 16;
/// Most endpoints that a request may name, for the same reason.
const MOST_ENDPOINTS: u64 = 1 << 40;
/// Most planes that a request may name, for the same reason.
const MOST_PLANES: u32 = 64;

/// The switch that all layers are built of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SwitchChoice<'a> {
    /// An anonymous switch of that many ports at the rate of a link.
    Radix(u32),
    /// A model of the catalogue; its ports are split down to the rate of a link.
    Model(&'a Switch),
}

/// How a leaf divides its ports where there is a layer above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// At least so many uplinks per downlink, by bandwidth: [`Ratio::ONE`] never blocks, 1/7 is
    /// an oversubscription of 7:1. The fewest uplinks that reach it; all other ports go down.
    AtLeast(Ratio),
    /// So many ports upwards, all others down.
    Uplinks(u32),
    /// So many ports down and up; what is left stays free.
    Fixed { down: u32, up: u32 },
}

/// A fabric of one to four tiers to be counted: [`FabricKind::RailOnly`],
/// [`FabricKind::RailOptimized`] or [`FabricKind::Clos`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request<'a> {
    /// Family; those that are no trees have functions of their own.
    pub kind: FabricKind,
    /// NICs to join. Each has one port in every plane.
    pub endpoints: u64,
    /// Rails that they belong to; a [`FabricKind::Clos`] takes no notice of them.
    pub rails: u32,
    /// Separate copies of the fabric.
    pub planes: u32,
    /// What it is built of.
    pub switch: SwitchChoice<'a>,
    /// Rate of a link of one plane: the NIC's over the planes.
    pub link: Bandwidth,
    pub split: Split,
    /// Ports that one link between switches takes at either end: 2 where 200G hosts hang on
    /// switches that are joined at 400G.
    pub ports_per_uplink: u32,
    /// Tiers to build; `None` for as few as serve.
    pub tiers: Option<u32>,
    /// Ports of one plane for hosts that are no endpoints (fabric managers, storage), spread
    /// over the rails.
    pub extra_ports: u64,
    /// Links of a spine that are kept for a layer above which is not counted here.
    pub spine_reserve: u32,
    /// Uplinks per downlink of spines and of cores, at least, where there is a layer above them.
    pub above_leafs: [Ratio; 2],
    /// Sides of a fabric that is no tree; `None` for the usual ones.
    pub shape: Option<FabricShape>,
    /// Endpoints on each switch of a slim fly, at most; `None` for the usual number.
    pub concentration: Option<u32>,
    /// Links inside a group of a dragonfly, and between the rows of a ZCube, are optical as all
    /// others; else they are copper, as their papers have them.
    pub all_optical: bool,
}

impl<'a> Request<'a> {
    /// A non-blocking fabric of one plane.
    #[must_use]
    pub const fn new(
        kind: FabricKind,
        endpoints: u64,
        rails: u32,
        switch: SwitchChoice<'a>,
        link: Bandwidth,
    ) -> Self {
        Self {
            kind,
            endpoints,
            rails,
            planes: 1,
            switch,
            link,
            split: Split::AtLeast(Ratio::ONE),
            ports_per_uplink: 1,
            tiers: None,
            extra_ports: 0,
            spine_reserve: 0,
            above_leafs: [Ratio::ONE; 2],
            shape: None,
            concentration: None,
            all_optical: false,
        }
    }

    /// This request on `planes` copies of the fabric: each link has a share of the rate, and
    /// each switch that many times the ports.
    #[must_use]
    pub fn split_into_planes(self, planes: u32) -> Self {
        let switch = match self.switch {
            SwitchChoice::Radix(radix) => SwitchChoice::Radix(radix.saturating_mul(planes)),
            model @ SwitchChoice::Model(_) => model,
        };
        Self { planes, switch, link: self.link / f64::from(planes.max(1)), ..self }
    }

    /// This request with another division of the leaf switches' ports.
    #[must_use]
    pub const fn with_split(self, split: Split) -> Self {
        Self { split, ..self }
    }

    /// This request of a switch that is known by its ports alone.
    #[must_use]
    pub fn without_switch_model(&self) -> Request<'static> {
        let radix = match self.switch {
            SwitchChoice::Radix(radix) => radix,
            SwitchChoice::Model(switch) => switch.radix(self.link),
        };
        let switch = SwitchChoice::Radix(radix);
        Request {
            planes: self.planes,
            split: self.split,
            ports_per_uplink: self.ports_per_uplink,
            tiers: self.tiers,
            extra_ports: self.extra_ports,
            spine_reserve: self.spine_reserve,
            above_leafs: self.above_leafs,
            shape: self.shape,
            concentration: self.concentration,
            all_optical: self.all_optical,
            ..Request::new(self.kind, self.endpoints, self.rails, switch, self.link)
        }
    }

    /// Model of the switch; empty for an anonymous one.
    #[must_use]
    pub fn switch_model(&self) -> &'a str {
        match self.switch {
            SwitchChoice::Radix(_) => "",
            SwitchChoice::Model(switch) => &switch.name,
        }
    }

    /// Sides that are asked for.
    pub(super) fn requested_sides(&self) -> Result<Option<&[u32]>, FabricProblem> {
        if self.shape.is_some() && !self.kind.takes_shape() {
            let reason =
                "only dragonfly, hyperx, zcube, torus and hamming-mesh fabrics take a shape";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        Ok(self.shape.as_ref().map(FabricShape::sides))
    }

    /// Refuses what the family takes no notice of: whoever asks for it expects something else.
    ///
    /// # Errors
    /// The first such setting.
    pub(super) fn refuse_ignored_settings(&self) -> Result<(), FabricProblem> {
        let ignored = |reason| Err(FabricProblem::NoSuchSize { reason });
        if self.concentration.is_some() && self.kind != FabricKind::SlimFly {
            return ignored("only a slim-fly takes the number of NICs on each switch");
        }
        if self.kind.is_tree() {
            return Ok(());
        }
        if self.tiers.is_some() {
            return ignored(
                "only trees of switches have tiers to ask for: rail-only, \
                            rail-optimized and clos",
            );
        }
        let whole = self.split == Split::AtLeast(Ratio::ONE) && self.above_leafs == [Ratio::ONE; 2];
        if !whole {
            return ignored(
                "only trees of switches can be oversubscribed or have their leaf ports \
                            stated: rail-only, rail-optimized and clos",
            );
        }
        if self.extra_ports > 0 {
            return ignored(
                "only trees of switches keep ports for other hosts: rail-only, \
                            rail-optimized and clos",
            );
        }
        if self.ports_per_uplink != 1 || self.spine_reserve > 0 {
            return ignored(
                "only trees of switches have uplinks of several ports, or links of \
                            spines that are kept: rail-only, rail-optimized and clos",
            );
        }
        Ok(())
    }

    /// The endpoints of one rail, those for other hosts included: the largest rail.
    pub(super) fn rail_ports(&self) -> u64 {
        let rails = u64::from(self.rails.max(1));
        self.endpoints.div_ceil(rails) + self.extra_ports.div_ceil(rails)
    }

    /// Checks all numbers of the request; ports of the switch at the rate of a link.
    pub(super) fn checked_switch_radix(&self) -> Result<u32, FabricProblem> {
        let radix = match self.switch {
            SwitchChoice::Radix(radix) => radix,
            SwitchChoice::Model(switch) => switch.radix(self.link),
        };
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        if self.above_leafs.contains(&Ratio::ZERO) {
            let reason = "a layer without uplinks joins nothing: give spines and cores some";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        if self.rails == 0 || u64::from(self.rails) > self.endpoints {
            return Err(FabricProblem::Rails { rails: self.rails, endpoints: self.endpoints });
        }
        if self.planes == 0 || self.planes > MOST_PLANES {
            return Err(FabricProblem::Planes { planes: self.planes, most: MOST_PLANES });
        }
        if self.endpoints > MOST_ENDPOINTS || self.extra_ports > MOST_ENDPOINTS {
            let endpoints = self.endpoints.max(self.extra_ports);
            return Err(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: MOST_TIERS });
        }
        // Networks of lines in a hamming mesh are trees.
        let even = self.kind.is_tree() || self.kind == FabricKind::HammingMesh;
        // Last, as a fabric without switches needs everything but this.
        match self.switch {
            SwitchChoice::Model(switch) if radix == 0 => {
                let gigabits = self.link.as_gigabits().round() as u64;
                return Err(FabricProblem::TooSlow { switch: switch.name.clone(), gigabits });
            }
            _ if radix == 0 || radix > MOST_PORTS || (even && !radix.is_multiple_of(2)) => {
                return Err(FabricProblem::Radix { radix });
            }
            _ => {}
        }
        Ok(radix)
    }

    /// How a leaf of `radix` ports divides them where there is a layer above.
    pub(super) fn divide_leaf_ports(&self, radix: u32) -> Result<LeafPorts, FabricProblem> {
        let width = self.ports_per_uplink.max(1);
        let (down, up) = match self.split {
            // Most ports down first: with `up` ports up, `up ≥ share · down` is what is wanted,
            // and more ports up leave fewer down, so the first that reaches it is the fewest.
            Split::AtLeast(share) => (1..=radix / width)
                .map(|links| (radix - links * width, links * width))
                .find(|(down, up)| u64::from(*up) >= share.ceil_times(u64::from(*down)))
                .unwrap_or((0, radix)),
            Split::Uplinks(up) => (radix.saturating_sub(up), up),
            Split::Fixed { down, up } => (down, up),
        };
        let uplinks = up / width;
        if down == 0 || uplinks == 0 || u64::from(down) + u64::from(up) > u64::from(radix) {
            return Err(FabricProblem::Split { down, up, radix });
        }
        Ok(LeafPorts { down, up: uplinks * width, uplinks })
    }

    /// Ports of a switch towards endpoints where there is no layer above.
    pub(super) const fn single_tier_ports(&self, radix: u32) -> u32 {
        match self.split {
            Split::Fixed { down, .. } if down < radix => down,
            _ => radix,
        }
    }
}

/// Most tiers that are counted.
pub(super) const MOST_TIERS: u32 = 4;

/// Ports of a leaf below a spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeafPorts {
    /// Ports towards endpoints; at least 1.
    pub(super) down: u32,
    pub(super) up: u32,
    /// Links upwards, each of one or more ports; at least 1.
    pub(super) uplinks: u32,
}
