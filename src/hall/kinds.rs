//! What a link is bought as, as far as a hall has to know it: how many links share a cage or a cable, how
//! far it reaches, and which lengths are sold. Prices are not its business.

/// A kind of link with a cable of a length that is sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkKindInHall {
    /// The kind, by its name in the catalogue.
    pub kind: String,
    /// The cable, by its name in the catalogue.
    pub cable: String,
    /// Its length in metres.
    pub cable_m: u32,
    /// Family of the cable.
    pub family: String,
    /// Links that share a cage of the switch.
    pub near_links: u32,
    /// Links that share the cage of the other end.
    pub far_links: u32,
    /// Cables that a link takes.
    pub cables: u32,
    /// Links that share a cable.
    pub cable_links: u32,
    /// Module in the switch; empty where the cable ends in the cage.
    pub near_module: String,
    /// Module at the other end; likewise.
    pub far_module: String,
}

/// Chooses what links are bought as.
pub trait LinkKinds {
    /// The kind that reaches so many metres, with its shortest cable of so many at least; `None` where
    /// nothing does. Of links between an interface and its leaf switch, or between switches.
    fn kind_for_reach(&self, host: bool, reach_m: u32, cable_m: u32) -> Option<LinkKindInHall>;
}

/// Lengths that cables are commonly sold in, in metres: what a way is rounded up to where no part is known.
pub(super) const STOCKED: [u32; 12] = [1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50];

/// The shortest of [`STOCKED`] that is long enough; beyond, whole tens of metres.
pub(super) fn stocked_cable_length(metres: u32) -> u32 {
    let known = STOCKED.into_iter().find(|length| *length >= metres);
    known.unwrap_or_else(|| metres.div_ceil(10).saturating_mul(10))
}
