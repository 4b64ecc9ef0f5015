//! Which endpoint goes to which leaf of a build. The wiring and whoever counts machines below leafs ask
//! here, so both speak of the same network.

use super::{Assembly, Build, BuildLayer, Filling};
use crate::fabric::TierName;

/// Seats the endpoints of the rails that a build serves, given as (leaf, its layer) from the first leaf on:
/// rail by rail on leafs of their own, rail by rail on leafs that hold whole ones, or domain by domain.
/// `host` is told of the number of each endpoint and of its leaf.
pub(in crate::fabric) fn seat_endpoints<L: Copy>(
    assembly: &Assembly<'_>,
    build: &Build,
    leafs: &[(L, &BuildLayer)],
    rails: &[u64],
    mut host: impl FnMut(u64, L),
) {
    let every = assembly.rails.max(1) as usize;
    let of_rail = |rail: u64| (rail..assembly.endpoints).step_by(every);
    match build.filling {
        Filling::OneRail => {
            for (part, rail) in rails.iter().enumerate() {
                let own = own_leafs(build, leafs, part);
                of_rail(*rail)
                    .zip(leaf_of_each_port(&own))
                    .for_each(|(order, leaf)| host(order, leaf));
            }
        }
        Filling::WholeRails => {
            let mut seats = leaf_of_each_port(leafs);
            let each = build.host_links / u64::from(build.rails.max(1));
            for rail in rails {
                // Rails differ by one endpoint at most; a leaf has room for the larger ones.
                let taken = seats.by_ref().take(each as usize).collect::<Vec<L>>();
                of_rail(*rail).zip(taken).for_each(|(order, leaf)| host(order, leaf));
            }
        }
        Filling::InOrder => {
            let domains = assembly.endpoints.div_ceil(every as u64);
            let orders = (0..domains)
                .flat_map(|domain| rails.iter().map(move |rail| domain * every as u64 + rail))
                .filter(|order| *order < assembly.endpoints);
            orders.zip(leaf_of_each_port(leafs)).for_each(|(order, leaf)| host(order, leaf));
        }
    }
}

/// A leaf for each of its ports towards endpoints.
fn leaf_of_each_port<'l, L: Copy>(
    leafs: &'l [(L, &BuildLayer)],
) -> impl Iterator<Item = L> + use<'l, L> {
    leafs.iter().flat_map(|(leaf, layer)| std::iter::repeat_n(*leaf, layer.down as usize))
}

/// The leafs of one rail of a tree whose rails have leafs of their own: its part of each layer.
fn own_leafs<'b, L: Copy>(
    build: &Build,
    leafs: &[(L, &'b BuildLayer)],
    part: usize,
) -> Vec<(L, &'b BuildLayer)> {
    let mut own = Vec::new();
    let mut first = 0;
    for layer in build.layers.iter().filter(|layer| layer.tier == TierName::Leaf) {
        let each = (layer.count / u64::from(build.rails.max(1))) as usize;
        own.extend_from_slice(&leafs[first + part * each..first + (part + 1) * each]);
        first += layer.count as usize;
    }
    own
}
