//! A spine that joins rails: partial (σ < 1), or full as in a rail-optimized fabric.
//!
//! A partial spine and an oversubscribed rail-optimized fabric are one object: σ = 1/ω.

use super::{BuildEffort, BuildLayer, ModelWorth, SwitchModel, WeightCeiling};
use crate::fabric::ratio::greatest_common_divisor;
use crate::fabric::striping::ascending_divisors;
use crate::fabric::upper::three_tiers;
use crate::fabric::{Ratio, TierName};

/// One way to build a spine across rails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpineOption {
    /// Its switches, lowest layer first.
    pub layers: Vec<BuildLayer>,
    /// Links between its two layers; none where it has one.
    pub spine_core_links: u64,
}

impl SpineOption {
    /// Switches of one model.
    #[must_use]
    pub fn switches_of(&self, sku: usize) -> u64 {
        self.layers.iter().filter(|layer| layer.sku == sku).map(|layer| layer.count).sum()
    }
}

/// The ways to join leafs, given as (leafs, ports of each towards the spine): one layer of q
/// spines of one model, where q divides the ports of every leaf and is the least with enough
/// ports; or two layers, where one layer has too few ports and all leafs have as many uplinks.
/// In the order of the models. Empty where no leaf has a port for it.
#[must_use]
pub fn spine_options(leafs: &[(u64, u32)], skus: &[SwitchModel]) -> Vec<SpineOption> {
    let worth = ModelWorth::new(skus, &WeightCeiling::default(), None);
    spine_options_within(leafs, skus, &worth, &mut BuildEffort::with_unlimited_steps(), |_, _| true)
}

/// Those of [`spine_options`] whose one layer is of models that are worth it, and whose needs are
/// admitted: switches of each model and links between two layers, of which the first call for a
/// model tells but what two layers need at least. As far as an effort goes.
#[must_use]
pub fn spine_options_within(
    leafs: &[(u64, u32)],
    skus: &[SwitchModel],
    worth: &ModelWorth,
    effort: &mut BuildEffort,
    admits: impl Fn(&[(usize, u64)], u64) -> bool,
) -> Vec<SpineOption> {
    let links: u64 = leafs.iter().map(|(count, ports)| count * u64::from(*ports)).sum();
    let stripe = leafs.iter().fold(0, |common, (_, ports)| greatest_common_divisor(common, *ports));
    if links == 0 {
        return Vec::new();
    }
    let alike = leafs.iter().all(|(_, ports)| *ports == stripe);
    let count = leafs.iter().map(|(count, _)| count).sum();
    let counts = ascending_divisors(stripe);
    let mut options = Vec::new();
    for (sku, model) in skus.iter().enumerate() {
        if !effort.has_spent_steps(1) {
            return options;
        }
        let enough = |count: &&u32| u64::from(**count) * u64::from(model.radix) >= links;
        if let Some(count) = counts.iter().find(enough).copied() {
            let needs = [(sku, u64::from(count))];
            if worth.is_worth_ports(sku, links.div_ceil(count.into())) && admits(&needs, 0) {
                let ports = (model.radix, 0);
                let layers =
                    vec![spine_layer(TierName::Spine, sku, u64::from(count), ports, links)];
                options.push(SpineOption { layers, spine_core_links: 0 });
            }
            continue;
        }
        let half = model.radix / 2;
        let least = links.div_ceil(u64::from(half.max(1)));
        if !alike || !admits(&[(sku, least)], links) {
            continue;
        }
        for (core, core_model) in skus.iter().enumerate() {
            if !effort.has_spent_steps(stripe.into()) {
                return options;
            }
            if let Some(upper) =
                three_tiers(count, stripe, model.radix, core_model.radix, Ratio::ONE)
                && admits(&[(sku, upper.spines), (core, upper.cores)], links)
            {
                let (up, ports) = (upper.spine_core, (core_model.radix, 0));
                let spine =
                    spine_layer(TierName::Spine, sku, upper.spines, (half, half), links + up);
                let core = spine_layer(TierName::Core, core, upper.cores, ports, up);
                options.push(SpineOption { layers: vec![spine, core], spine_core_links: up });
            }
        }
    }
    options
}

/// Alike switches of a spine.
const fn spine_layer(
    tier: TierName,
    sku: usize,
    count: u64,
    (down, up): (u32, u32),
    ports_used: u64,
) -> BuildLayer {
    BuildLayer { tier, sku, count, down, up, across: 0, ports_used }
}

#[cfg(test)]
mod tests {
    use super::spine_options;
    use crate::fabric::build::nouns::SwitchModel;

    #[test]
    fn the_spines_divide_the_ports_of_every_leaf() {
        let skus = [
            SwitchModel { name: "k128".into(), radix: 128 },
            SwitchModel { name: "k64".into(), radix: 64 },
        ];
        // 57 racks of 72: two rails share a 128-port leaf, 14 of whose ports are left over.
        let options = spine_options(&[(36, 14)], &skus);
        let counts: Vec<u64> = options.iter().map(|o| o.layers[0].count).collect();
        assert_eq!(counts, [7, 14]);
        let mixed = spine_options(&[(30, 12), (4, 8)], &skus);
        assert_eq!(mixed[0].layers[0].count, 4);
        assert!(spine_options(&[(30, 0)], &skus).is_empty());
    }

    #[test]
    fn many_leafs_take_two_layers() {
        let skus = [SwitchModel { name: "k64".into(), radix: 64 }];
        let options = spine_options(&[(2048, 32)], &skus);
        assert_eq!((options[0].switches_of(0), options[0].spine_core_links), (3072, 65_536));
    }
}
