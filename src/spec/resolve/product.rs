//! A workload as each product of the cluster trains it: what a spec leaves open follows the GPU, so
//! every product is given what it would be given alone. Resolves no key itself.

use std::collections::BTreeMap;

use super::context::Context;
use crate::hardware::Node;
use crate::scenario::{Assumption, Workload};
use crate::spec::document::SpecTable;
use crate::spec::problem::{Problem, ProblemKind};

/// A workload on all products.
pub(super) struct PerProduct {
    /// `None` where it could not be resolved for one of them.
    pub(super) workload: Option<Workload>,
    /// What is assumed for each product, in the order of the products; at least one list.
    pub(super) assumed: Vec<Vec<Assumption>>,
    /// What is wrong, each once.
    pub(super) problems: Vec<Problem>,
}

/// Resolves a workload for every product by itself.
pub(super) fn resolve_per_product(
    document: &SpecTable,
    nodes: &[Node],
    resolve: impl Fn(&mut Context<'_>, &[Node]) -> Option<Workload>,
) -> PerProduct {
    // Without a product, which is a problem of its own, the other keys are still read.
    let each: Vec<&[Node]> = if nodes.is_empty() { vec![nodes] } else { nodes.chunks(1).collect() };
    let mut workloads = Vec::new();
    let (mut assumed, mut problems) = (Vec::new(), Vec::new());
    for product in each {
        let mut inner = Context::new(document);
        workloads.push(resolve(&mut inner, product));
        assumed.push(inner.assumptions);
        problems.push(inner.problems);
    }
    let workloads: Option<Vec<Workload>> = workloads.into_iter().collect();
    let workload = workloads.and_then(|all| join_product_workloads(nodes, all));
    PerProduct { workload, assumed, problems: merge_product_problems(&problems) }
}

/// The workload of the first product, with those of products that train it in another way.
fn join_product_workloads(nodes: &[Node], workloads: Vec<Workload>) -> Option<Workload> {
    let mut each = workloads.into_iter();
    let first = each.next()?;
    let names = nodes.iter().skip(1).map(|node| node.name.clone());
    let others = names.zip(each).filter(|(_, workload)| *workload != first);
    let by_product: BTreeMap<String, Workload> = others.collect();
    Some(Workload { by_product, ..first })
}

/// Every problem once. A rule of the layout that holds with the defaults of some product is none of
/// the spec: the products that break it are no candidates.
fn merge_product_problems(problems: &[Vec<Problem>]) -> Vec<Problem> {
    let mut all: Vec<Problem> = Vec::new();
    for problem in problems.iter().flatten() {
        let of_layout = matches!(problem.kind, ProblemKind::Layout { .. });
        let everywhere = problems.iter().all(|this_problems| this_problems.contains(problem));
        if !all.contains(problem) && (everywhere || !of_layout) {
            all.push(problem.clone());
        }
    }
    all
}
