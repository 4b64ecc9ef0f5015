//! `Blueprint`: enough to count and wire again; `Regularity`: how regular a network is to whoever
//! runs it. Designs none.

use std::collections::BTreeMap;

use super::build::{BuildLayer, seat_endpoints};
use super::tree::Plane;
use super::{
    Assembly, Build, Counts, FabricGraph, FabricProblem, Request, SpineOption, SwitchModel,
    TierName, non_tree,
};
use crate::units::Bandwidth;

/// How to build a fabric.
#[derive(Clone, Debug, PartialEq)]
pub enum Blueprint {
    /// Alike switches: a tree, or a family that is none.
    Tree {
        /// What was asked for, of a switch known by its ports alone.
        request: Request<'static>,
        /// Model of the switch; empty for an anonymous one.
        model: String,
    },
    /// Rails that were put together from builds: models and kinds of leaf may mix.
    Rails(RailPlan),
}

/// An [`Assembly`] that owns its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct RailPlan {
    pub rails: u32,
    pub endpoints: u64,
    /// Separate copies of the fabric.
    pub planes: u32,
    /// Rate of a link to an endpoint, and so of a port.
    pub link: Bandwidth,
    /// Ports that a link between switches takes at either end.
    pub width: u32,
    /// The models that builds point to.
    pub skus: Vec<SwitchModel>,
    /// Builds with how many of each, over all planes.
    pub builds: Vec<(Build, u64)>,
    /// What joins the rails, over all planes.
    pub spine: Option<(SpineOption, u64)>,
}

impl Blueprint {
    /// The blueprint of a tree.
    #[must_use]
    pub fn from_tree(request: &Request<'_>) -> Self {
        Self::Tree {
            request: request.without_switch_model(),
            model: request.switch_model().to_owned(),
        }
    }

    /// The blueprint of an assembly.
    #[must_use]
    pub fn from_assembly(assembly: &Assembly<'_>) -> Self {
        Self::Rails(RailPlan {
            rails: assembly.rails,
            endpoints: assembly.endpoints,
            planes: assembly.planes,
            link: assembly.link,
            width: assembly.width,
            skus: assembly.skus.to_vec(),
            builds: assembly
                .builds
                .iter()
                .map(|(build, times)| ((*build).clone(), *times))
                .collect(),
            spine: assembly.spine.map(|(spine, times)| (spine.clone(), times)),
        })
    }

    /// Switches and links, by the closed form.
    ///
    /// # Errors
    /// Where the request of a tree is impossible.
    pub fn network_counts(&self) -> Result<Counts, FabricProblem> {
        match self {
            Self::Tree { request, model } => {
                let mut counts =
                    Counts { rails: request.rails, ..non_tree::fabric_counts(request)? };
                counts.tiers.iter_mut().for_each(|tier| tier.model.clone_from(model));
                Ok(counts)
            }
            Self::Rails(plan) => Ok(plan.with_assembly(|assembly| assembly.assembly_counts())),
        }
    }

    /// The fabric, cable by cable.
    ///
    /// # Errors
    /// Where it can't be built, or is too large to hold.
    pub fn build_fabric_graph(&self) -> Result<FabricGraph, FabricProblem> {
        match self {
            Self::Tree { request, model } => {
                Ok(FabricGraph::new(request)?.rename_models(std::slice::from_ref(model)))
            }
            Self::Rails(plan) => plan.with_assembly(FabricGraph::from_assembly),
        }
    }
}

impl RailPlan {
    fn with_assembly<T>(&self, made: impl FnOnce(&Assembly<'_>) -> T) -> T {
        let builds: Vec<(&Build, u64)> =
            self.builds.iter().map(|(build, times)| (build, *times)).collect();
        made(&Assembly {
            rails: self.rails,
            endpoints: self.endpoints,
            planes: self.planes,
            link: self.link,
            width: self.width,
            skus: &self.skus,
            builds: &builds,
            spine: self.spine.as_ref().map(|(spine, times)| (spine, *times)),
        })
    }
}

/// How regular a tree of switches is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regularity {
    /// Machines (HB domains) that hang on the same leaf switches, unit by unit, that of the first
    /// machine first.
    pub units: Vec<u64>,
    /// Leaf switches that have a part of a rail beside another rail.
    pub shared: u64,
    /// Leaf switches are of one model and have as many endpoints, but for those of one last unit or
    /// for one last leaf switch of each plane.
    pub alike: bool,
}

/// What hangs on a leaf.
#[derive(Default)]
struct Leaf {
    model: u32,
    /// Endpoints of each rail.
    rails: BTreeMap<u64, u64>,
    /// First and last domain.
    domains: Option<(u64, u64)>,
}

/// Seats of a whole network.
#[derive(Default)]
struct LeafSeats {
    leafs: Vec<Leaf>,
    /// Leafs of each domain.
    domains: Vec<Vec<u32>>,
    rails: u64,
    planes: u64,
    endpoints: u64,
}

impl Regularity {
    /// That of a network; `None` of one that is no tree, or that can't be built.
    #[must_use]
    pub fn from_blueprint(blueprint: &Blueprint) -> Option<Self> {
        match blueprint {
            Blueprint::Tree { request, .. } => Some(seats_of_tree(request)?.into_regularity()),
            Blueprint::Rails(plan) => Some(plan.with_assembly(seats_of_builds).into_regularity()),
        }
    }

    /// Machines of the largest unit.
    #[must_use]
    pub fn largest_unit(&self) -> u64 {
        self.units.iter().copied().max().unwrap_or(0)
    }

    /// Machines of the smallest unit.
    #[must_use]
    pub fn smallest_unit(&self) -> u64 {
        self.units.iter().copied().min().unwrap_or(0)
    }

    /// True where rails share no leaf switch but whole ones, leaf switches are alike, and every
    /// unit but the last has as many machines as there are on average, rounded up.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        let machines: u64 = self.units.iter().sum();
        let each = machines.div_ceil((self.units.len() as u64).max(1));
        let even = self.units.iter().rev().skip(1).all(|unit| *unit == each);
        self.shared == 0 && self.alike && even
    }
}

impl LeafSeats {
    fn for_endpoints(rails: u32, planes: u32, endpoints: u64) -> Self {
        let rails = u64::from(rails.max(1));
        let domains = vec![Vec::new(); endpoints.div_ceil(rails) as usize];
        Self { leafs: Vec::new(), domains, rails, planes: planes.into(), endpoints }
    }

    /// A number of leafs more, of one model; the first of them.
    fn add_leafs(&mut self, count: u64, model: u32) -> u32 {
        let first = self.leafs.len() as u32;
        self.leafs.extend((0..count).map(|_| Leaf { model, ..Leaf::default() }));
        first
    }

    fn seat_endpoint(&mut self, order: u64, leaf: u32) {
        let (domain, rail) = (order / self.rails, order % self.rails);
        let own = &mut self.leafs[leaf as usize];
        *own.rails.entry(rail).or_default() += 1;
        let (first, last) = own.domains.unwrap_or((domain, domain));
        own.domains = Some((first.min(domain), last.max(domain)));
        self.domains[domain as usize].push(leaf);
    }

    fn into_regularity(mut self) -> Regularity {
        let mut found: BTreeMap<Vec<u32>, (usize, u64)> = BTreeMap::new();
        for (order, leafs) in self.domains.iter_mut().enumerate() {
            leafs.sort_unstable();
            leafs.dedup();
            found.entry(std::mem::take(leafs)).or_insert((order, 0)).1 += 1;
        }
        let mut units: Vec<(usize, u64)> = found.into_values().collect();
        units.sort_unstable();
        let of_rail = |rail: u64| self.endpoints.saturating_sub(rail).div_ceil(self.rails);
        let shares = |leaf: &&Leaf| {
            leaf.rails.len() > 1 && leaf.rails.iter().any(|(rail, own)| *own < of_rail(*rail))
        };
        Regularity {
            units: units.into_iter().map(|(_, machines)| machines).collect(),
            shared: self.leafs.iter().filter(shares).count() as u64,
            alike: self.are_alike(),
        }
    }

    /// One model, and as many endpoints but for one leaf of each plane or for the leafs of the same
    /// domains.
    fn are_alike(&self) -> bool {
        let hosts = |leaf: &Leaf| leaf.rails.values().sum::<u64>();
        let most = self.leafs.iter().map(hosts).max().unwrap_or(0);
        let fewer: Vec<&Leaf> = self.leafs.iter().filter(|leaf| hosts(leaf) < most).collect();
        let one_model = self.leafs.windows(2).all(|pair| pair[0].model == pair[1].model);
        let together = fewer
            .windows(2)
            .all(|pair| hosts(pair[0]) == hosts(pair[1]) && pair[0].domains == pair[1].domains);
        let whole = |leaf: &&Leaf| leaf.rails.len() == 1;
        one_model && (fewer.len() as u64 <= self.planes || together && fewer.iter().all(whole))
    }
}

/// Seats of a network that was put together from builds, in the order in which they are wired.
fn seats_of_builds(assembly: &Assembly<'_>) -> LeafSeats {
    let mut all = LeafSeats::for_endpoints(assembly.rails, assembly.planes, assembly.endpoints);
    let rails = u64::from(assembly.rails.max(1));
    let slots = rails * u64::from(assembly.planes);
    let mut next = 0;
    for (build, times) in assembly.builds {
        for _ in 0..*times {
            let mut leafs: Vec<(u32, &BuildLayer)> = Vec::new();
            for layer in build.layers.iter().filter(|layer| layer.tier == TierName::Leaf) {
                let first = all.add_leafs(layer.count, layer.sku as u32);
                leafs.extend((0..layer.count as u32).map(|place| (first + place, layer)));
            }
            let last = (next + u64::from(build.rails)).min(slots);
            let served: Vec<u64> = (next.min(slots)..last).map(|slot| slot % rails).collect();
            seat_endpoints(assembly, build, &leafs, &served, |order, leaf| {
                all.seat_endpoint(order, leaf)
            });
            next += u64::from(build.rails);
        }
    }
    all
}

/// Seats of a tree of alike switches.
fn seats_of_tree(request: &Request<'_>) -> Option<LeafSeats> {
    if !request.kind.is_tree() {
        return None;
    }
    let plane = Plane::from_request(request, request.checked_switch_radix().ok()?).ok()?;
    let mut all = LeafSeats::for_endpoints(request.rails, request.planes, request.endpoints);
    let rails = all.rails;
    for _ in 0..request.planes {
        let first = all.add_leafs(plane.trees * plane.leafs, 0);
        for order in 0..request.endpoints {
            let leaf = plane.leaf_of(order % rails, order / rails, order);
            all.seat_endpoint(order, first + leaf as u32);
        }
    }
    Some(all)
}
