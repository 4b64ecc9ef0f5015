//! What machines with half of the interfaces would save under techniques: a product fixes how many it has,
//! however little the traffic needs. Prices of machines stay as they are.

use crate::design::{self, Infeasible, Plan};
use crate::scenario::{Scenario, Shape};
use crate::sizing::Options;

/// A design for machines of a product with half of their interfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct FewerNics {
    /// The product.
    pub node: String,
    /// Interfaces of one of its machines there.
    pub nics: u32,
    /// The cheapest design with them, or why there is none.
    pub plan: Result<Plan, Infeasible>,
}

impl FewerNics {
    /// Designs a scenario for machines with half of their interfaces; `None` where several products or
    /// clusters are asked for, and where machines have an odd number.
    pub(super) fn design(scenario: &Scenario, options: &Options) -> Option<Self> {
        let mut scenario = scenario.clone();
        if scenario.shape() != Shape::One {
            return None;
        }
        let [node] = scenario.cluster.nodes.as_mut_slice() else { return None };
        if node.nics == 0 || !node.nics.is_multiple_of(2) {
            return None;
        }
        node.nics /= 2;
        let (name, nics) = (node.name.clone(), node.nics);
        Some(Self { node: name, nics, plan: design::decided(&scenario, options) })
    }
}
