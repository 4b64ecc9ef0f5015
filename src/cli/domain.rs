//! `planner domain`: how large an HB domain should be, for clusters of one size or several. Each
//! point is a design by the road of `planner design`.

use std::num::NonZeroUsize;

use clap::Args;

use super::args::{ExportFormat, Options, SpecArgs};
use super::check::design_snapshot;
use super::failure::Failure;
use super::input;
use super::sweep::map_in_parallel;
use crate::cost::hb_cost;
use crate::design::mixed_levels;
use crate::fabric::{HbRequest, count_domain};
use crate::hardware::{Family, Node};
use crate::report;
use crate::scenario::Scenario;
use crate::spec::{self, Book, Override, SpecText};
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};

/// Arguments of `planner domain`.
#[derive(Args, Debug)]
pub(super) struct DomainArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// GPUs of the cluster: one line in the picture for each [default: the spec's]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    gpus: Vec<u32>,
    /// Families, sizes of one or products to choose from, as `nvlink5`, `nvlink5-72`, `dgx-h100`
    /// [default: `cluster.node` where it has several, else the families with its GPU]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    over: Vec<String>,
    /// GPUs of a domain: these sizes of the families instead of their own
    #[arg(long, value_name = "K,…", value_delimiter = ',')]
    sizes: Vec<u32>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The sizes as text.
pub(super) fn run_domain_sizes(args: &DomainArgs, options: &Options) -> Result<String, Failure> {
    let source = input::source(&args.spec.spec, options)?;
    let book = input::load_price_book(options)?;
    let sized = |gpus: u32| Override::from_key_value("cluster.gpus", &gpus.to_string());
    let first: Vec<Override> = args.gpus.first().map(|gpus| sized(*gpus)).into_iter().collect();
    let asked = read_domain_scenario(&source, book.as_ref(), options, &first)?;
    let over = domain_names(args, &asked)?;
    let clusters = if args.gpus.is_empty() { vec![asked.cluster.gpus] } else { args.gpus.clone() };
    let (mut all, mut warnings) = (Vec::new(), Vec::new());
    for gpus in clusters {
        let names: Vec<String> = over.iter().map(|name| format!("\"{name}\"")).collect();
        let node = Override::from_key_value("cluster.node", &format!("[{}]", names.join(",")));
        let changes = if args.gpus.is_empty() { vec![node] } else { vec![sized(gpus), node] };
        let scenario = read_domain_scenario(&source, book.as_ref(), options, &changes)?;
        warnings.extend(mixed_levels(&scenario.prices, &scenario.cluster.nodes));
        all.extend(
            scenario.cluster.nodes.iter().map(|node| (scenario.for_product(node), node.clone())),
        );
    }
    warnings.dedup();
    all.sort_by_key(|(scenario, node)| (scenario.cluster.gpus, node.gpus));
    let places: Vec<usize> = (0..all.len()).collect();
    let work = |place: usize| domain_point(&all[place].0, &all[place].1, options);
    let points =
        map_in_parallel(&places, args.jobs, options, work).into_iter().collect::<Result<_, _>>()?;
    let domains = DomainSizes { name: asked.name, warnings, points };
    if !domains.points.iter().any(|point| point.outcome.is_ok()) {
        let reasons = domains.points.iter().filter_map(|point| point.outcome.as_ref().err());
        let first = reasons.map(String::as_str).next().unwrap_or("there is none");
        return Err(Failure::NoPoint(anyhow::anyhow!("no size of a domain has a design: {first}")));
    }
    if options.export_format() == Some(ExportFormat::Svg) {
        return Ok(report::domains_drawing(&domains));
    }
    options.render_report(|look| report::render_domains(&domains, look))
}

/// The question of the spec with some changes.
fn read_domain_scenario(
    source: &SpecText,
    book: Option<&Book>,
    options: &Options,
    changes: &[Override],
) -> Result<Scenario, Failure> {
    let mut overrides = options.overrides();
    overrides.extend(changes.iter().cloned());
    let scenario = input::part_of(spec::read_with(source, &overrides, book)?, options)?;
    if scenario.is_several() {
        let error = anyhow::anyhow!("the size of a domain is asked of one cluster, not of several");
        return Err(Failure::usage_error(error, "name one with `--part`"));
    }
    if !scenario.others.is_empty() {
        let error = anyhow::anyhow!("what a larger domain is worth is asked of one workload");
        return Err(Failure::usage_error(error, "ask of each by itself, in a spec of its own"));
    }
    Ok(scenario)
}

/// Names to choose from: those typed, those of the spec, or the families with the GPU of its product.
fn domain_names(args: &DomainArgs, asked: &Scenario) -> Result<Vec<String>, Failure> {
    let families = &asked.catalogue.families;
    let own: Vec<&Node> = asked.cluster.nodes.iter().collect();
    let named = if !args.over.is_empty() {
        args.over.clone()
    } else if own.len() > 1 && args.sizes.is_empty() {
        own.iter().map(|node| node.name.clone()).collect()
    } else {
        let made = own.iter().filter_map(|node| Family::domain_of(&node.name).map(|pair| pair.0));
        let made: Vec<&str> =
            made.filter(|name| families.iter().any(|family| family.name == **name)).collect();
        let same = |family: &&Family| match made.as_slice() {
            [] => own.iter().any(|node| {
                let rate = family.link_bandwidth * f64::from(family.links);
                node.gpu.name == family.gpu.name && (rate / node.hb_bandwidth - 1.0).abs() < 1e-6
            }),
            names => names.contains(&family.name.as_str()),
        };
        families.iter().filter(same).map(|family| family.name.clone()).collect()
    };
    if named.is_empty() {
        let known: Vec<&str> = families.iter().map(|family| family.name.as_str()).collect();
        let error = anyhow::anyhow!(
            "no family of HB domains has the GPU and the rate of the spec's product"
        );
        let hint = format!("name some with `--over`: {}, or products", known.join(", "));
        return Err(Failure::usage_error(error, hint));
    }
    if args.sizes.is_empty() {
        return Ok(named);
    }
    let is_family = |name: &String| families.iter().any(|family| family.name == *name);
    let sized =
        |name: &String| args.sizes.iter().map(|size| Family::domain_name(name, *size)).collect();
    Ok(named
        .iter()
        .flat_map(|name| if is_family(name) { sized(name) } else { vec![name.clone()] })
        .collect())
}

/// What comes of a cluster of one product.
fn domain_point(
    scenario: &Scenario,
    node: &Node,
    options: &Options,
) -> Result<DomainPoint, Failure> {
    let gpus = scenario.cluster.gpus;
    let outcome = match design_snapshot(scenario, options) {
        Ok(result) => DomainDesign::from_snapshot(&result, &node.name, gpus)
            .ok_or_else(|| "its result has no time of a step".to_owned()),
        Err(Failure::Infeasible(reason)) => Err(reason.to_string()),
        Err(failure) => return Err(failure),
    };
    let family = Family::domain_of(&node.name).and_then(|(name, _)| {
        scenario.catalogue.families.iter().find(|known_family| known_family.name == name)
    });
    let hb = family.and_then(|family| {
        let counts = count_domain(&HbRequest::from_family(family, node.gpus)).ok()?;
        hb_cost(family, &counts, scenario.prices.families.get(&family.name)?)
    });
    Ok(DomainPoint {
        gpus,
        domain: node.gpus,
        node: node.name.clone(),
        family: family.map(|known_family| known_family.name.clone()),
        lost: node.tray.unwrap_or(node.gpus),
        chips: node.hb_switches,
        hb,
        outcome,
    })
}
