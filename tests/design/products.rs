//! Products that are left out by a bound: each is designed for alone, and takes no less than the bound says.

use planner::design::Plan;
use planner::scenario::{Minimize, Scenario};
use planner::spec::SpecText;

use crate::support::scenario::{design, resolved};

const PRODUCTS: [&str; 9] = [
    "dgx-a100-80gb",
    "dgx-h100",
    "dgx-h200",
    "hgx-b200",
    "gb200-nvl72",
    "gb300-nvl72",
    "dgx1-v100",
    "nvlink5",
    "ub-mesh",
];

/// A cluster of some of these, by model and GPUs.
fn asked(minimize: &str, (model, gpus): (&str, u32), nodes: &[&str]) -> Scenario {
    let text = format!(
        "model = {{ preset = \"{model}\" }}\n\
         [training]\nglobal_batch = 256\nmicro_batch = \"auto\"\ntokens = \"1T\"\n\
         [objective]\nminimize = \"{minimize}\"\n\
         [cluster]\ngpus = {gpus}\nnode = {nodes:?}\nmax_planes = 2\n"
    );
    resolved(&SpecText::new("products.toml", text), &[] as &[&str])
}

fn value(plan: &Plan, minimize: Minimize) -> f64 {
    match minimize {
        Minimize::Capex => plan.cost.capex.get(),
        Minimize::Tco => plan.cost.tco.get(),
        Minimize::Power => plan.cost.power.get(),
        Minimize::UsdPerToken => {
            plan.cost.tco.get() * plan.step.time.total_time().get() / plan.failures.year.goodput
        }
    }
}

#[test]
fn no_product_that_is_left_out_takes_less_than_its_bound_or_the_answer() {
    let questions = [("llama3-8b", 64), ("llama3-8b", 128), ("llama3-70b", 256)];
    let (mut excluded, mut sized) = (0, 0);
    for minimize in Minimize::ALL {
        for question in questions {
            let open = asked(minimize.name(), question, &PRODUCTS);
            let plan = design(&open).expect("there is a design");
            let least = value(&plan, minimize);
            excluded += plan.solver.products_excluded;
            for product in PRODUCTS {
                let Ok(alone) = design(&asked(minimize.name(), question, &[product])) else {
                    continue;
                };
                let alone_takes = value(&alone, minimize);
                let what = format!("{} {question:?} {product}", minimize.name());
                assert!(alone_takes >= least * (1.0 - plan.solver.gap - 1e-9), "{what}");
                let name = format!("node {}", alone.nodes.node.name);
                let bound = plan.not_sized.iter().find(|not_sized| not_sized.name == name);
                if let Some(bound) = bound {
                    sized += 1;
                    assert!(alone_takes >= bound.at_least * least * (1.0 - 1e-9), "{what}");
                }
            }
        }
    }
    assert!(excluded > 10 && sized > 10, "{excluded} excluded, {sized} bounds held");
}
