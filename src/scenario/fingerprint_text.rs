//! The text that stand-ins of a question are made of. Says nothing to a reader.

use std::fmt;

use super::Scenario;

/// As derived, but for what else a fabric has to carry: that is there only where it is asked for,
/// so that stand-ins of questions which do not ask for it stay what they were.
impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            workloads,
            cluster,
            objective,
            limits,
            robust,
            hall,
            lengths,
            inventory,
            spares,
            networks,
            installation,
            failures,
            later,
            catalogue,
            prices,
            assumptions,
            by_product,
            rules,
            stated: _,
        } = self;
        let mut all = f.debug_struct("Scenario");
        all.field("name", name);
        all.field("workload", &workloads[0]);
        all.field("others", &&workloads[1..]);
        all.field("cluster", cluster);
        all.field("objective", objective);
        all.field("limits", limits);
        all.field("hall", hall);
        all.field("lengths", lengths);
        all.field("inventory", inventory);
        all.field("spares", spares);
        all.field("networks", networks);
        all.field("installation", installation);
        all.field("failures", failures);
        all.field("later", later);
        all.field("catalogue", catalogue);
        all.field("prices", prices);
        all.field("assumptions", assumptions);
        all.field("by_product", by_product);
        all.field("rules", rules);
        if robust.is_some() {
            all.field("robust", robust);
        }
        all.finish()
    }
}
