//! `planner network KIND`: counts, bill and graph of one fabric, without any model.

use std::collections::BTreeMap;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::hb_domain::{self, HbArgs};
use crate::cli::args::{ExportFormat, Options};
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::cost::{BillLine, fabric_bill};
use crate::fabric::{
    self, Bisection, Counts, FabricGraph, FabricKind, FabricProblem, FabricShape, HbDomainGroup,
    Ratio, Request, Split, SwitchChoice,
};
use crate::hardware::{Node, Switch};
use crate::report::topology::{draw_fabric, topology_text};
use crate::report::{self, DomainSheet, FabricSheet};
use crate::spec::{library, presets};
use crate::units::{Bandwidth, Usd, parse};

/// Rails of a rail fabric where neither `--rails` nor `--domain` is given: those of the common
/// servers with eight GPUs.
const DEFAULT_RAILS: u32 = 8;

/// Layers that may have uplinks: leafs, spines and cores.
const LAYERS: usize = 3;

/// Links up to which a fabric is wired for its minimum cut without being asked: some tenths of a
/// second.
const SMALL: u64 = 40_000;

/// The ready spec at whose prices a fabric is billed: those of the default book.
const PRICES_OF: &str = "starter";

/// Arguments of `planner network KIND`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct FabricArgs {
    #[command(subcommand)]
    inside: Option<InsideArgs>,
    /// Family of fabric
    #[arg(required = true, value_parser = PossibleValuesParser::new(FabricKind::ALL.map(FabricKind::name))
        .try_map(|name| FabricKind::parse(&name).ok_or("unknown")))]
    kind: Option<FabricKind>,
    /// NICs to join [default: those of `--domain`]
    #[arg(long, value_name = "N")]
    endpoints: Option<u64>,
    /// Ports of a switch at the rate of the NIC
    #[arg(long, value_name = "K")]
    radix: Option<u32>,
    /// A switch that ships; its ports split to the rate of a link
    #[arg(long, value_name = "MODEL", conflicts_with = "radix")]
    switch: Option<String>,
    /// NICs of an HB domain [default: the smallest domain's, or 8]
    #[arg(long, value_name = "R")]
    rails: Option<u32>,
    /// Copies of the fabric, each with a share of the NIC
    #[arg(long, value_name = "P", default_value_t = 1)]
    planes: u32,
    /// Of leafs, as `7:1`, or of each tier, as `1:1,7:1`
    #[arg(long, value_name = "D:U", default_value = "1:1", value_parser = parse_oversubscription,
        value_delimiter = ',')]
    oversubscription: Vec<Ratio>,
    /// Ports of a leaf, as `128:120`; the others stay spare
    #[arg(long, value_name = "D:U", value_parser = leaf_ports, conflicts_with = "oversubscription")]
    leaf_ports: Option<Split>,
    /// 1 to 4 [default: as few as serve]
    #[arg(long, value_name = "T")]
    tiers: Option<u32>,
    /// torus `8x8x4` NICs, hyperx `8x8` switches, hamming-mesh `16x16` boards or `4x4x8x8`,
    /// dragonfly `8x4x33` (of a group, links of each, groups), zcube `128` (of a row)
    #[arg(long, value_name = "AxB", value_parser = parse_shape)]
    shape: Option<FabricShape>,
    /// Of a slim-fly [default: half its links to others]
    #[arg(long, value_name = "P")]
    endpoints_per_switch: Option<u32>,
    /// Ports of each plane for other hosts: UFM, storage, management
    #[arg(long, value_name = "N", default_value_t = 0)]
    extra_ports: u64,
    /// Ports of a link between switches at either end: 1 or more
    #[arg(long, value_name = "N", default_value_t = 1)]
    ports_per_uplink: u32,
    /// Links of each spine kept for a tier that is not counted
    #[arg(long, value_name = "N", default_value_t = 0)]
    spine_reserve: u32,
    /// HB domains: `8`, `dgx-h100`, `16xgb200-nvl72,128xdgx-h100`
    #[arg(long, value_name = "DOMAINS", value_parser = parse_domain, value_delimiter = ',')]
    domain: Vec<DomainArg>,
    /// Rate of a NIC
    #[arg(long, value_name = "RATE", default_value = "400 Gb/s", value_parser = parse_line_rate)]
    nic: Bandwidth,
    /// Cable by cable: a graph as json, cables as csv, else a walk
    #[arg(long)]
    graph: bool,
}

/// Networks inside a domain.
#[derive(Debug, Subcommand)]
enum InsideArgs {
    /// Chips and links inside one HB domain
    Hb(HbArgs),
}

/// The counts or the graph as text.
pub(in crate::cli) fn run_fabric(args: &FabricArgs, options: &Options) -> Result<String, Failure> {
    if let Some(InsideArgs::Hb(args)) = &args.inside {
        return hb_domain::run_hb_domain(args, options);
    }
    let kind = args.kind.expect("the parser asks for it");
    if args.switch.is_none() && options.changes_the_spec() {
        let error = anyhow::anyhow!("a fabric has no bill without `--switch`, and reads no spec");
        return Err(Failure::usage_error(
            error,
            "name a model with `--switch`, or leave out `--set`, `--part` and `--prices`",
        ));
    }
    let models = presets::preset_switches();
    let switch = args.choose_switch(&models)?;
    let endpoints = count_endpoints(args.endpoints, &args.domain)?;
    let request = args.fabric_request(kind, endpoints, switch)?;
    let counts = fabric::fabric_counts(&request).map_err(fabric_failure)?;
    let wired = (args.graph || options.shows_graph()).then(|| FabricGraph::new(&request));
    if options.export_format() == Some(ExportFormat::Svg) {
        // What can't be wired one by one can still be drawn folded together.
        let graph = wired.as_ref().and_then(|graph| graph.as_ref().ok());
        return Ok(draw_fabric(kind.name(), &counts, graph, &[]));
    }
    let must = args.graph || options.is_special_format();
    let graph = match wired {
        Some(graph) if must => Some(graph.map_err(fabric_failure)?),
        Some(graph) => graph.ok(),
        None => None,
    };
    if let (Some(graph), Some(format)) = (graph.as_ref().filter(|_| must), options.graph_format()) {
        return Ok(topology_text(graph, format));
    }
    let priced = match switch {
        SwitchChoice::Model(switch) => Some(price_counts(&counts, switch, options)?),
        SwitchChoice::Radix(_) => None,
    };
    let bill = priced.as_ref().map(|(lines, total)| (&lines[..], *total));
    let domains: Vec<_> =
        args.domain.iter().map(|arg| arg.domain_sheet(endpoints, counts.rails)).collect();
    let graph = graph.as_ref();
    // Small ones are wired for their minimum cut, also where nobody asked for the graph.
    let small =
        || (counts.link_count() <= SMALL).then(|| FabricGraph::new(&request).ok()).flatten();
    let own = if graph.is_none() { small() } else { None };
    let found = match graph.or(own.as_ref()) {
        Some(graph) => graph.minimum_bisection(&request).map_err(fabric_failure)?,
        None => None,
    };
    let bisection = Bisection::from_counts(&counts, found);
    let asked = endpoints;
    let sheet = FabricSheet { counts: &counts, asked, bill, domains: &domains, graph, bisection };
    options.render_report(|look| report::render_fabric(&sheet, look))
}

impl FabricArgs {
    /// What the fabric is built of.
    fn choose_switch<'a>(
        &self,
        models: &'a BTreeMap<String, Switch>,
    ) -> Result<SwitchChoice<'a>, Failure> {
        let torus = self.kind == Some(FabricKind::Torus);
        if torus && (self.radix.is_some() || self.switch.is_some()) {
            let error = anyhow::anyhow!("a torus has no switches: its NICs forward for each other");
            return Err(Failure::usage_error(error, "leave out `--radix` and `--switch`"));
        }
        let Some(name) = &self.switch else {
            return match self.radix {
                Some(radix) => Ok(SwitchChoice::Radix(radix)),
                None if torus => Ok(SwitchChoice::Radix(2)), // read, but no switch is built
                None => {
                    let error = anyhow::anyhow!("nothing says how many ports a switch has");
                    let hint = "give `--radix`, or a model with `--switch`";
                    Err(Failure::usage_error(error, hint))
                }
            };
        };
        let model = models.get(name).ok_or_else(|| {
            let names: Vec<&str> = models.keys().map(String::as_str).collect();
            let error = anyhow::anyhow!("there is no switch `{name}`");
            Failure::usage_error(error, format!("use one of {}", names.join(", ")))
        })?;
        Ok(SwitchChoice::Model(model))
    }

    /// The fabric that is asked for.
    fn fabric_request<'a>(
        &self,
        kind: FabricKind,
        endpoints: u64,
        switch: SwitchChoice<'a>,
    ) -> Result<Request<'a>, Failure> {
        let rails = self.rail_count(kind, endpoints)?;
        if self.oversubscription.len() > LAYERS {
            let given = self.oversubscription.len();
            let error =
                anyhow::anyhow!("`{given}` layers are oversubscribed, but three have uplinks");
            let hint = "give those of leaf switches, spines and cores, in this order";
            return Err(Failure::usage_error(error, hint));
        }
        let share = |layer: usize| self.oversubscription.get(layer).copied().unwrap_or(Ratio::ONE);
        let split = self.leaf_ports.unwrap_or(Split::AtLeast(share(0)));
        Ok(Request {
            tiers: self.tiers,
            extra_ports: self.extra_ports,
            ports_per_uplink: self.ports_per_uplink,
            spine_reserve: self.spine_reserve,
            above_leafs: [share(1), share(2)],
            shape: self.shape,
            concentration: self.endpoints_per_switch,
            ..Request::new(kind, endpoints, rails, switch, self.nic)
                .with_split(split)
                .split_into_planes(self.planes)
        })
    }

    /// Rails as asked for, or those that all domains can share.
    fn rail_count(&self, kind: FabricKind, endpoints: u64) -> Result<u32, Failure> {
        if self.domain.is_empty() {
            let usual = if kind.has_rails() { DEFAULT_RAILS } else { 1 };
            return Ok(self.rails.unwrap_or(usual));
        }
        let sizes: Vec<fabric::HbDomainGroup> =
            self.domain.iter().map(|arg| arg.with_nic_count(endpoints)).collect();
        fabric::fold_on_rails(kind, &sizes, self.rails).map_err(fabric_failure)
    }
}

/// The bill at the prices of the ready specs, or of the command line.
fn price_counts(
    counts: &Counts,
    switch: &Switch,
    options: &Options,
) -> Result<(Vec<BillLine>, Usd), Failure> {
    let source = library::ready_spec(PRICES_OF).expect("the spec ships");
    let scenario = input::load_overridden_scenario(&source, &options.overrides(), options)?;
    let node = scenario.cluster.nodes.first().expect("a sound spec names a product");
    Ok(fabric_bill(counts, switch, &scenario.catalogue, &scenario.prices, node))
}

fn fabric_failure(problem: FabricProblem) -> Failure {
    Failure::usage_error(problem, "see `planner help fabric`")
}

/// Uplinks per downlink from `7:1` or `7`.
fn parse_oversubscription(text: &str) -> Result<Ratio, String> {
    let (down, up) = text.split_once(':').unwrap_or((text, "1"));
    down.trim()
        .parse()
        .ok()
        .zip(up.trim().parse().ok())
        .and_then(|(down, up): (u32, u32)| Ratio::new(up, down))
        .filter(|ratio| *ratio > Ratio::ZERO && *ratio <= Ratio::ONE)
        .ok_or_else(|| "write downlinks over uplinks, like `7:1`; at least `1:1`".to_owned())
}

/// Ports down and up from `128:120`.
fn leaf_ports(text: &str) -> Result<Split, String> {
    let ports = text.split_once(':').and_then(|(down, up)| {
        Some(Split::Fixed { down: down.trim().parse().ok()?, up: up.trim().parse().ok()? })
    });
    ports.ok_or_else(|| "write ports down and up, like `128:120`".to_owned())
}

/// Sides from `8x8x4`.
fn parse_shape(text: &str) -> Result<FabricShape, String> {
    FabricShape::parse(text)
        .ok_or_else(|| "write one to four whole numbers above zero, like `8x8x4`".to_owned())
}

/// A line rate above zero.
fn parse_line_rate(written: &str) -> Result<Bandwidth, String> {
    let rate =
        parse::parse_bandwidth(written).map_err(|error| format!("{error}; {}", error.hint))?;
    if rate > Bandwidth::ZERO { Ok(rate) } else { Err("a link needs a rate above zero".to_owned()) }
}

/// Alike HB domains.
#[derive(Clone, Debug)]
pub(in crate::cli) struct DomainArg {
    /// How many; `None` where all NICs are in such domains.
    count: Option<u64>,
    nics: u32,
    /// The product; `None` where only its NICs are given.
    node: Option<Box<Node>>,
}

impl DomainArg {
    /// How many of them hold so many NICs, where that is not said.
    fn with_nic_count(&self, endpoints: u64) -> HbDomainGroup {
        let count = self.count.unwrap_or_else(|| endpoints.div_ceil(u64::from(self.nics)));
        HbDomainGroup { count, nics: self.nics }
    }

    /// What a report says of them.
    fn domain_sheet(&self, endpoints: u64, rails: u32) -> DomainSheet {
        let HbDomainGroup { count, nics } = self.with_nic_count(endpoints);
        DomainSheet {
            count,
            product: self.node.as_ref().map(|node| node.name.clone()),
            nics,
            nics_a_rail: nics.div_ceil(rails.max(1)),
            inside: self.node.as_ref().and_then(|node| node.inside_of_domains(count)),
        }
    }
}

/// Reads `8`, `dgx-h100`, `128x8` or `128xdgx-h100`.
fn parse_domain(text: &str) -> Result<DomainArg, String> {
    let text = text.trim();
    let nodes = presets::preset_nodes();
    let (count, kind) = match text.split_once('x') {
        Some((count, kind)) if count.chars().all(|c| c.is_ascii_digit()) && !count.is_empty() => {
            let count = count.parse().ok().filter(|count| (1..=MOST_DOMAINS).contains(count));
            (Some(count.ok_or("give at least one domain, and not that many")?), kind)
        }
        _ => (None, text),
    };
    if let Some(node) = nodes.get(kind) {
        let node = Some(Box::new(node.clone()));
        return Ok(DomainArg { count, nics: node.as_ref().map_or(1, |node| node.nics), node });
    }
    match kind.parse::<u32>() {
        Ok(nics @ 1..) => Ok(DomainArg { count, nics, node: None }),
        _ => {
            let names: Vec<&str> = nodes.keys().map(String::as_str).collect();
            Err(format!("write NICs of a domain or a machine: {}", names.join(", ")))
        }
    }
}

/// Most domains of a kind: low enough that no count overflows.
const MOST_DOMAINS: u64 = 1 << 24;

/// NICs to join: those asked for, or those of all domains.
fn count_endpoints(asked: Option<u64>, domains: &[DomainArg]) -> Result<u64, Failure> {
    let read = |domain: &DomainArg| Some(domain.count? * u64::from(domain.nics));
    let all: Option<u64> = domains.iter().map(read).sum();
    let hint = "see `planner help fabric`";
    match (asked, all.filter(|_| !domains.is_empty())) {
        (Some(asked), Some(all)) if asked != all => {
            let error = anyhow::anyhow!("the domains have `{all}` NICs, not `{asked}`");
            Err(Failure::usage_error(error, "leave out `--endpoints`"))
        }
        (_, Some(all)) => Ok(all),
        (None, None) => {
            let text = "nothing says how many NICs to join: give `--endpoints`, or how many of \
                        each domain, as in `--domain 128xdgx-h100`";
            Err(Failure::usage_error(anyhow::anyhow!(text), hint))
        }
        (Some(_), None) if domains.len() > 1 => {
            let text = "domains of several sizes need to be counted, as in \
                        `--domain 16x72,128x8`";
            Err(Failure::usage_error(anyhow::anyhow!(text), hint))
        }
        (Some(asked), None) => Ok(asked),
    }
}
