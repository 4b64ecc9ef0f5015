//! Members of families whose steps are timed on their cables, in chains: along each there is more
//! of one kind of link and nothing less, so that a member costs more than those before it and no
//! step is longer on it. Routes none.

use crate::design::columns::column::BuiltFabric;
use crate::design::columns::context::ColumnContext;
use crate::design::columns::four_tier_trees::level_of_counts;
use crate::design::job::machine::{FamilyMember, Level};
use crate::fabric::{Blueprint, FabricKind, FabricShape, Ratio, Request, Split, SwitchChoice};
use crate::scenario::FabricChoice;

/// Members on one model of switch that differ in one number alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberChain {
    /// Place of the model among those on offer.
    pub(super) sku: usize,
    /// What all of them have; the last number is that of the first one.
    first: MemberSides,
    /// How many there are; at least one.
    pub(super) len: u32,
}

/// What a member is built from. The last number is the one that a chain counts up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberSides {
    /// Switches of a row.
    ZCube(u32),
    /// Switches of a group, groups, links of a switch to other groups.
    Dragonfly([u32; 3]),
    /// Uplinks of a leaf switch, and of a spine where there are cores.
    Tapered([u32; 2]),
}

impl MemberChain {
    /// True where every member costs more than the one before it. Of trees the spines have to
    /// divide the uplinks of leaf switches, so that more of them may cost less.
    pub(super) const fn is_ascending(&self) -> bool {
        !matches!(self.first, MemberSides::Tapered(_))
    }

    /// A member by its place.
    pub(super) const fn member_at(&self, place: u32) -> MemberSides {
        match self.first {
            MemberSides::ZCube(side) => MemberSides::ZCube(side + place),
            MemberSides::Dragonfly([size, groups, global]) => {
                MemberSides::Dragonfly([size, groups, global + place])
            }
            MemberSides::Tapered([up, spine]) => MemberSides::Tapered([up, spine + place]),
        }
    }
}

/// Every chain of a family.
pub(super) fn family_chains(context: &ColumnContext<'_>, choice: FabricChoice) -> Vec<MemberChain> {
    let endpoints = context.job.endpoints();
    let models = context.skus.iter().enumerate();
    let each = models.flat_map(|(sku, model)| {
        let all = match choice {
            FabricChoice::ZCube => zcube_chains(endpoints, model.radix),
            FabricChoice::Dragonfly => dragonfly_chains(endpoints, model.radix),
            FabricChoice::TaperedClos => tapered_clos_chains(model.radix),
            _ => Vec::new(),
        };
        all.into_iter().map(move |(first, len)| MemberChain { sku, first, len })
    });
    each.filter(|chain| chain.len > 0).collect()
}

/// Rows of n switches, from the fewest whose square holds the interfaces to the most that ports
/// join: 2n.
fn zcube_chains(endpoints: u64, radix: u32) -> Vec<(MemberSides, u32)> {
    let least = (1..=radix / 2).find(|n| u64::from(*n).pow(2) >= endpoints);
    least.map(|least| (MemberSides::ZCube(least), radix / 2 - least + 1)).into_iter().collect()
}

/// All p, a and h with p + (a − 1) + h ports or fewer, and as few groups g as hold the interfaces:
/// g ≤ a·h + 1. Groups of one size and one number are cabled alike whatever p is, so each pair of
/// these is one chain, of h.
fn dragonfly_chains(endpoints: u64, radix: u32) -> Vec<(MemberSides, u32)> {
    let radix = u64::from(radix);
    let sizes = (1..=radix).flat_map(|size| (1..=radix + 1 - size).map(move |down| (size, down)));
    let mut pairs: Vec<(u64, u64)> =
        sizes.map(|(size, down)| (size, endpoints.div_ceil(size * down))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let chain = |(size, groups): (u64, u64)| {
        let down = endpoints.div_ceil(size * groups);
        let left = (radix + 1).checked_sub(down + size)?;
        // A single group has no links to others: one member stands for all.
        let (least, most) = if groups > 1 { ((groups - 1).div_ceil(size), left) } else { (1, 1) };
        let count = (most + 1).checked_sub(least)?;
        let [size, groups, least, count] =
            [size, groups, least, count].map(|number| u32::try_from(number).ok());
        Some((MemberSides::Dragonfly([size?, groups?, least?]), count?))
    };
    pairs.into_iter().filter_map(chain).collect()
}

/// Leaf switches with each number of uplinks up to half of their ports; where there are cores,
/// spines with each number of theirs.
fn tapered_clos_chains(radix: u32) -> Vec<(MemberSides, u32)> {
    let half = radix / 2;
    (1..=half).map(|up| (MemberSides::Tapered([up, 1]), half)).collect()
}

impl MemberSides {
    /// The member on a model, counted, at its level; `None` where the family has none of these
    /// sides.
    pub(super) fn fabric_on_model(
        self,
        context: &ColumnContext<'_>,
        sku: usize,
    ) -> Option<(BuiltFabric, Level)> {
        let request = self.fabric_request(context, context.skus[sku].radix)?;
        let blueprint = Blueprint::Tree { request, model: context.skus[sku].name.clone() };
        let counts = blueprint.network_counts().ok()?;
        let radix = if request.kind.is_tree() { context.skus[sku].radix } else { 0 };
        let sides = match self {
            Self::ZCube(side) => [side, 0, 0, 0],
            Self::Dragonfly([size, groups, global]) => [size, global, groups, 0],
            Self::Tapered([up, spine]) => [context.skus[sku].radix - up, up, spine, 0],
        };
        let member = FamilyMember { kind: request.kind, sides, radix, planes: request.planes };
        let level = Level {
            leaf_domains: None,
            member: Some(member),
            ..level_of_counts(&counts, context.job.machine.balance)
        };
        Some((BuiltFabric { counts, blueprint }, level))
    }

    /// What it is counted and wired from, of a switch with so many ports at the rate of a link.
    fn fabric_request(self, context: &ColumnContext<'_>, radix: u32) -> Option<Request<'static>> {
        let kind = match self {
            Self::ZCube(_) => FabricKind::ZCube,
            Self::Dragonfly(_) => FabricKind::Dragonfly,
            Self::Tapered(_) => FabricKind::Clos,
        };
        let machine = context.job.machine;
        let ports = if matches!(self, Self::ZCube(_)) { 2 } else { 1 };
        let planes = context.planes / ports;
        // A ZCube takes twice the ports that its request names.
        let switch = SwitchChoice::Radix(radix / ports);
        let nic = machine.nic.bandwidth / f64::from(planes.max(1));
        let (endpoints, rails) = (context.job.endpoints(), machine.node.nics);
        let plain = Request {
            planes,
            all_optical: true,
            ..Request::new(kind, endpoints, rails, switch, nic)
        };
        Some(match self {
            Self::ZCube(side) => Request { shape: FabricShape::new(&[side]), ..plain },
            Self::Dragonfly([size, groups, global]) => {
                Request { shape: FabricShape::new(&[size, global, groups]), ..plain }
            }
            Self::Tapered([up, spine]) => Request {
                split: Split::Fixed { down: radix - up, up },
                above_leafs: [Ratio::new(spine, radix.checked_sub(spine)?)?, Ratio::ONE],
                ..plain
            },
        })
    }
}
