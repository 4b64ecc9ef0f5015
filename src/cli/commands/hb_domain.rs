//! The commands `planner network hb` and `planner domain`.

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::check_side::design_snapshot;
use super::sweep::map_in_parallel;
use crate::cli::args::{ExportFormat, Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::cost::hb_cost;
use crate::design::mixed_levels;
use crate::fabric::{HbProblem, HbRequest, count_domain, domain_product};
use crate::hardware::{Family, HbKind, Node, Striping};
use crate::report::{self, HbSheet};
use crate::scenario::Scenario;
use crate::spec::{self, Book, Override, SpecText, library};
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};

/// The ready spec whose families and prices are taken: those that ship.
const FAMILIES_OF: &str = "starter";

/// Arguments of `planner network hb`.
#[derive(Args, Debug)]
pub(in crate::cli) struct HbArgs {
    /// Family of `planner presets list`
    #[arg(long, value_name = "NAME", required_unless_present = "links")]
    family: Option<String>,
    /// GPUs of the domain
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    gpus: u32,
    /// How they are joined [default: the family's; switched]
    #[arg(long, value_parser = PossibleValuesParser::new(HbKind::NAMES)
        .try_map(|name| HbKind::parse(&name).ok_or("unknown")))]
    kind: Option<HbKind>,
    /// Links of a GPU [default: the family's]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..=1_024))]
    links: Option<u32>,
    /// Ports of a switch chip [default: the family's]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    chip_ports: Option<u32>,
    /// Levels of chips, 1 or 2 [default: the family's; as few as reach]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2))]
    levels: Option<u32>,
    /// Links down for each link up, where there are two levels
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=64))]
    taper: Option<u32>,
    /// GPUs that share chips of the first of two levels [default: fewest chips]
    #[arg(long, value_name = "GPUS", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pod: Option<u32>,
    /// Links of a GPU to one chip [default: fewest chips]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_024))]
    lanes: Option<u32>,
    /// Two halves, with half of each chip's ports between them
    #[arg(long)]
    twin: bool,
    /// How links are spread over chips
    #[arg(long, value_parser = PossibleValuesParser::new(Striping::NAMES)
        .try_map(|name| Striping::parse(&name).ok_or("unknown")))]
    striping: Option<Striping>,
    /// Neighbours of a GPU on either side, of a ring
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_024))]
    hops: Option<u32>,
}

/// The domain as text.
pub(super) fn run_hb_domain(args: &HbArgs, options: &Options) -> Result<String, Failure> {
    if options.export_format() == Some(ExportFormat::Svg) || options.is_special_format() {
        let error = anyhow::anyhow!("an HB domain is counted, and not drawn");
        return Err(Failure::usage_error(error, "use table, json, csv, markdown or html"));
    }
    let source = library::ready_spec(FAMILIES_OF).expect("the spec ships");
    let scenario = input::load_overridden_scenario(&source, &options.overrides(), options)?;
    let families = &scenario.catalogue.families;
    let family = match &args.family {
        None => None,
        Some(name) => Some(find_family(families, name)?),
    };
    // What is typed stands over what the family has, in counts and in what follows from them.
    let family = family.map(|known_family| args.override_family(known_family));
    let request = match &family {
        Some(family) => HbRequest::from_family(family, args.gpus),
        None => args.standalone_request(),
    };
    let counts = count_domain(&request).map_err(hb_failure)?;
    let prices =
        family.as_ref().and_then(|known_family| scenario.prices.families.get(&known_family.name));
    let cost = family.as_ref().zip(prices);
    let cost = cost.and_then(|(family, prices)| hb_cost(family, &counts, prices));
    let node =
        family.as_ref().and_then(|known_family| domain_product(known_family, args.gpus).ok());
    let sheet = HbSheet {
        family: family.as_ref().map(|known_family| known_family.name.as_str()),
        counts,
        tray_chips: family.as_ref().map_or(0, |known_family| known_family.tray_chips),
        rate: family
            .as_ref()
            .map(|known_family| known_family.link_bandwidth * f64::from(known_family.links)),
        power: node.map(|(node, _)| node.power),
        cost,
    };
    options.render_report(|look| report::hb_domain(&sheet, look))
}

/// The family of that name.
fn find_family<'a>(families: &'a [Family], name: &str) -> Result<&'a Family, Failure> {
    families.iter().find(|family| family.name == name).ok_or_else(|| {
        let known: Vec<&str> = families.iter().map(|family| family.name.as_str()).collect();
        let error = anyhow::anyhow!("there is no family `{name}`");
        Failure::usage_error(error, format!("use one of {}", known.join(", ")))
    })
}

fn hb_failure(problem: HbProblem) -> Failure {
    Failure::usage_error(problem, "see `planner help fabric hb`")
}

impl HbArgs {
    /// A family with what was typed over it.
    fn override_family(&self, family: &Family) -> Family {
        Family {
            kind: self.kind.unwrap_or(family.kind),
            links: self.links.unwrap_or(family.links),
            chip_ports: self.chip_ports.or(family.chip_ports),
            levels: self.levels.or(family.levels),
            taper: self.taper.unwrap_or(family.taper),
            pod: self.pod.or(family.pod),
            lanes: self.lanes.or(family.lanes),
            twin: self.twin || family.twin,
            striping: self.striping.unwrap_or(family.striping),
            hops: self.hops.unwrap_or(family.hops),
            ..family.clone()
        }
    }

    /// A domain of no family.
    fn standalone_request(&self) -> HbRequest {
        let links = self.links.unwrap_or(0);
        HbRequest {
            kind: self.kind.unwrap_or(HbKind::Switched),
            levels: self.levels,
            taper: self.taper.unwrap_or(1),
            pod: self.pod,
            lanes: self.lanes,
            twin: self.twin,
            striping: self.striping.unwrap_or(Striping::Even),
            hops: self.hops.unwrap_or(1),
            ..HbRequest::for_switch_chips(self.gpus, links, self.chip_ports.unwrap_or(0))
        }
    }
}

/// Arguments of `planner domain`.
#[derive(Args, Debug)]
pub(in crate::cli) struct DomainArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// GPUs of the cluster, a line of the picture each [default: the spec's]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    gpus: Vec<u32>,
    /// Families, sizes or machines, as `nvlink5`, `nvlink5-72`, `dgx-h100` [default: all of
    /// `cluster.node`, or the families with its GPU]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    over: Vec<String>,
    /// GPUs of a domain [default: the sizes of the families]
    #[arg(long, value_name = "K,…", value_delimiter = ',')]
    sizes: Vec<u32>,
    /// Threads; the result is the same on any number [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The sizes as text.
pub(in crate::cli) fn run_domain_sizes(
    args: &DomainArgs,
    options: &Options,
) -> Result<String, Failure> {
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
    let points = map_in_parallel(&places, args.jobs, work).into_iter().collect::<Result<_, _>>()?;
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
    if scenario.workloads.len() > 1 {
        let error = anyhow::anyhow!("the size of a domain is asked of one workload");
        return Err(Failure::usage_error(error, "ask of each by itself, in a spec of its own"));
    }
    Ok(scenario)
}

/// Names to choose from: those typed, those of the spec, or the families with the GPU of its
/// product.
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
            "no family of HB domains has the GPU and the rate of the spec's machine"
        );
        let hint = format!("name some with `--over`: {}, or machines", known.join(", "));
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
    let outcome = match design_snapshot(scenario, &options.solver_options()) {
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
