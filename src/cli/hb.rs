//! `planner fabric hb`: what joins the GPUs of one HB domain, without any model.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::args::{ExportFormat, Options};
use super::failure::Failure;
use super::input;
use crate::cost::hb_cost;
use crate::fabric::{HbProblem, HbRequest, count_domain, domain_product};
use crate::hardware::{Family, HbKind, Striping};
use crate::report::{self, HbSheet};
use crate::spec::library;

/// The ready spec whose families and prices are taken: those that ship.
const FAMILIES_OF: &str = "starter";

/// Arguments of `planner fabric hb`.
#[derive(Args, Debug)]
pub(super) struct HbArgs {
    /// Family of domains, by its name in `planner presets list`
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
    /// GPUs that share chips of the first of two levels [default: what takes fewest chips]
    #[arg(long, value_name = "GPUS", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pod: Option<u32>,
    /// Links of a GPU to one chip [default: what takes fewest chips]
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
    if options.export_format() == Some(ExportFormat::Svg) || options.belongs_to().is_some() {
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
    Failure::usage_error(problem, "see `planner fabric hb --help`")
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
