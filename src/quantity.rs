//! What is known of each figure of a design by its key in JSON: which way it gets better, and
//! whether every design has it. One row a figure, and no other place says it: nothing is guessed
//! from a name. It knows neither values nor units.

/// Which way a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Better {
    /// Money, power, time.
    Lower,
    /// Utilisation, throughput, room to grow.
    Higher,
    /// A choice or a size: whether more of it is good depends on who asks.
    Neither,
}

/// A figure of a design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Dotted key in the JSON of a design; a `*` at its end stands for any last word.
    pub key: &'static str,
    /// Which way it gets better.
    pub better: Better,
    /// Whether every design has it.
    pub always: bool,
    /// Largest value that it can have; `None` where nothing bounds it. None is negative.
    pub most: Option<f64>,
}

/// A figure that every design has.
const fn always(key: &'static str, better: Better) -> Quantity {
    Quantity { key, better, always: true, most: None }
}

/// A part of a whole that every design has.
const fn share(key: &'static str, better: Better) -> Quantity {
    Quantity { key, better, always: true, most: Some(1.0) }
}

/// A figure that some designs have.
const fn sometimes(key: &'static str, better: Better) -> Quantity {
    Quantity { key, better, always: false, most: None }
}

use Better::{Higher, Lower, Neither};

/// All figures, in the order of a design's JSON.
pub const QUANTITIES: &[Quantity] = &[
    always("cluster.gpus", Neither),
    always("cluster.hb_domain_size", Neither),
    always("cluster.hb_domains", Neither),
    sometimes("cluster.hb_inside.*", Neither),
    always("cluster.rails", Neither),
    always("cluster.planes", Neither),
    always("layout.tensor", Neither),
    always("layout.pipeline", Neither),
    always("layout.data", Neither),
    always("layout.context", Neither),
    always("layout.expert", Neither),
    always("layout.expert_tensor", Neither),
    always("layout.interleave", Neither),
    always("layout.micro_batch", Neither),
    always("layout.micro_batches", Neither),
    always("layout.zero", Neither),
    always("step.time_s", Lower),
    always("step.compute_s", Lower),
    always("step.exposed_communication_s.*", Lower),
    always("step.bubble_s", Lower),
    always("step.optimizer_s", Lower),
    always("step.host_s", Lower),
    always("step.host_link_s", Lower),
    always("step.stragglers_s", Lower),
    always("step.interfaces_busy_s", Lower),
    always("step.slowdown", Lower),
    always("step.error_band", Lower),
    share("step.mfu", Higher),
    share("step.hfu", Higher),
    always("step.tokens", Neither),
    always("step.tokens_per_s_per_gpu", Higher),
    always("step.model_tflops_per_gpu", Higher),
    always("step.model_flop", Neither),
    always("step.hardware_flop", Neither),
    always("memory.total_bytes", Lower),
    always("memory.weights_bytes", Lower),
    always("memory.gradients_bytes", Lower),
    always("memory.optimizer_bytes", Lower),
    always("memory.activations_bytes", Lower),
    always("memory.overhead_bytes", Lower),
    always("memory.fragmentation_bytes", Lower),
    always("memory.host_bytes", Lower),
    always("memory.capacity_bytes", Neither),
    always("memory.stage", Neither),
    always("traffic.total_bytes", Lower),
    always("traffic.pairs", Neither),
    always("traffic.idle_pairs", Neither),
    share("traffic.idle_pair_share", Neither),
    always("traffic.bytes_by_kind.*", Lower),
    always("traffic.bytes_by_locality.*", Lower),
    always("traffic.max_pair_bytes", Lower),
    always("fabric.planes", Neither),
    always("fabric.rails", Neither),
    always("fabric.endpoints", Neither),
    always("fabric.link_gbit_per_s", Neither),
    always("fabric.leafs", Lower),
    always("fabric.spines", Lower),
    always("fabric.cores", Lower),
    always("fabric.switches", Lower),
    always("fabric.host_links", Lower),
    always("fabric.leaf_spine_links", Lower),
    always("fabric.spine_core_links", Lower),
    always("fabric.transceivers", Lower),
    always("fabric.bisection_share", Higher),
    always("fabric.across_rails_share", Higher),
    always("cost.network_capex_usd", Lower),
    always("cost.capex_usd", Lower),
    always("cost.network_power_w", Lower),
    always("cost.power_w", Lower),
    always("cost.opex_usd_per_year", Lower),
    always("cost.tco_usd", Lower),
    sometimes("cost.usd_per_million_tokens", Lower),
    sometimes("cost.training_days", Lower),
    sometimes("racks.nodes", Lower),
    sometimes("racks.switches", Lower),
    sometimes("racks.limit", Neither),
    sometimes("racks.fullest_w", Lower),
    sometimes("racks.rack_power_w", Neither),
    sometimes("headroom.gpus_on_free_ports", Higher),
    sometimes("headroom.gpus_before_another_tier", Higher),
    share("all_to_all.stored_share", Higher),
    share("all_to_all.pipelined_share", Higher),
    share("goodput_share", Higher),
    always("solver.gap", Lower),
    always("solver.candidates", Neither),
    sometimes("growth.present_value_usd", Lower),
    sometimes("growth.one_by_one_usd", Neither),
    sometimes("growth.at_once_usd", Neither),
    always("price_not_found", Lower),
];

/// What is known of the figure of that key; `None` where no design has one.
#[must_use]
pub fn quantity(key: &str) -> Option<Quantity> {
    QUANTITIES.iter().copied().find(|of| of.covers(key))
}

impl Quantity {
    /// Whether the row is about that key.
    #[must_use]
    pub fn covers(&self, key: &str) -> bool {
        match self.key.strip_suffix('*') {
            Some(group) => key.strip_prefix(group).is_some_and(|last| !last.contains('.')),
            None => self.key == key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Better, QUANTITIES, quantity};

    #[test]
    fn every_key_has_one_row() {
        for (place, row) in QUANTITIES.iter().enumerate() {
            let again = QUANTITIES[..place].iter().find(|other| other.covers(row.key));
            assert_eq!(again, None, "{} stands twice", row.key);
        }
    }

    #[test]
    fn the_direction_is_that_of_the_key_and_not_of_a_word_in_it() {
        let better = |key: &str| quantity(key).map(|of| of.better);
        assert_eq!(better("goodput_share"), Some(Better::Higher));
        assert_eq!(better("all_to_all.stored_share"), Some(Better::Higher));
        assert_eq!(better("fabric.across_rails_share"), Some(Better::Higher));
        assert_eq!(better("cost.capex_usd"), Some(Better::Lower));
        assert_eq!(better("traffic.bytes_by_kind.data"), Some(Better::Lower));
        assert_eq!(better("layout.tensor"), Some(Better::Neither));
        assert_eq!(better("cost.mfu"), None);
        assert_eq!(better("traffic.bytes_by_kind.data.more"), None);
    }
}
