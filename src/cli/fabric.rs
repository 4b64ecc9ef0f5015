//! `planner fabric`: counts of one fabric, without any model.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::Options;
use super::failure::Failure;
use crate::fabric::{self, FabricKind, Ratio, Request, Split, SwitchChoice};
use crate::report;
use crate::spec::presets;
use crate::units::{Bandwidth, text};

/// Rails of a rail fabric where neither `--rails` nor `--domain` is given: those of the common
/// servers with eight GPUs.
const DEFAULT_RAILS: u32 = 8;

/// Arguments of `planner fabric`.
#[derive(Args, Debug)]
pub(super) struct FabricArgs {
    /// Family of fabric
    #[arg(value_parser = PossibleValuesParser::new(FabricKind::ALL.map(FabricKind::name))
        .try_map(|name| FabricKind::parse(&name).ok_or("unknown")))]
    kind: FabricKind,
    /// NICs to join
    #[arg(long, value_name = "N")]
    endpoints: u64,
    /// Ports of a switch at the rate of the NIC
    #[arg(long, value_name = "K", required_unless_present = "switch")]
    radix: Option<u32>,
    /// Model of the switch, by its name in `planner presets list`: its ports are split down to the
    /// rate of a link
    #[arg(long, value_name = "MODEL", conflicts_with = "radix")]
    switch: Option<String>,
    /// Rails: NICs of an HB domain [default: the domain's size, else 8; 1 where there are none]
    #[arg(long, value_name = "R")]
    rails: Option<u32>,
    /// Separate copies of the fabric, each with a share of the NIC; ports split likewise
    #[arg(long, value_name = "P", default_value_t = 1)]
    planes: u32,
    /// Most downlink over uplink bandwidth of a leaf, as `7:1`
    #[arg(long, value_name = "D:U", default_value = "1:1", value_parser = oversubscription)]
    oversubscription: Ratio,
    /// Ports of a leaf down and up, as `128:120`; all others stay spare
    #[arg(long, value_name = "D:U", value_parser = leaf_ports, conflicts_with = "oversubscription")]
    leaf_ports: Option<Split>,
    /// Tiers to build, 1 to 4 [default: as few as serve]
    #[arg(long, value_name = "T")]
    tiers: Option<u32>,
    /// Ports of each plane for other hosts: fabric managers (UFM), storage, management
    #[arg(long, value_name = "N", default_value_t = 0)]
    extra_ports: u64,
    /// Ports that one link between switches takes at either end: 2 for 200G NICs below switches
    /// joined at 400G
    #[arg(long, value_name = "N", default_value_t = 1)]
    ports_per_uplink: u32,
    /// Links of each spine kept for a layer above that is not counted
    #[arg(long, value_name = "N", default_value_t = 0)]
    spine_reserve: u32,
    /// NICs of an HB domain
    #[arg(long, value_name = "K")]
    domain: Option<u32>,
    /// Rate of a NIC
    #[arg(long, value_name = "RATE", default_value = "400 Gb/s", value_parser = rate)]
    nic: Bandwidth,
}

/// The counts as text.
pub(super) fn run(args: &FabricArgs, options: &Options) -> Result<String, Failure> {
    let rails = match args.kind {
        FabricKind::RailOnly | FabricKind::RailOptimized => {
            args.rails.or(args.domain).unwrap_or(DEFAULT_RAILS)
        }
        _ => args.rails.unwrap_or(1),
    };
    let models = presets::switches();
    let switch = match &args.switch {
        None => SwitchChoice::Radix(args.radix.unwrap_or(0)),
        Some(name) => SwitchChoice::Model(models.get(name).ok_or_else(|| {
            let names: Vec<&str> = models.keys().map(String::as_str).collect();
            let error = anyhow::anyhow!("there is no switch `{name}`");
            Failure::refused(error, format!("use one of {}", names.join(", ")))
        })?),
    };
    let split = args.leaf_ports.unwrap_or(Split::AtLeast(args.oversubscription));
    let request = Request {
        tiers: args.tiers,
        extra_ports: args.extra_ports,
        ports_per_uplink: args.ports_per_uplink,
        spine_reserve: args.spine_reserve,
        ..Request::new(args.kind, args.endpoints, rails, switch, args.nic)
            .with_split(split)
            .in_planes(args.planes)
    };
    let counts = fabric::counts(&request)
        .map_err(|problem| Failure::refused(problem, "see `planner fabric --help`"))?;
    Ok(report::fabric(&counts, options.look()))
}

/// Uplinks per downlink from `7:1` or `7`.
fn oversubscription(text: &str) -> Result<Ratio, String> {
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

/// A line rate above zero.
fn rate(written: &str) -> Result<Bandwidth, String> {
    let rate = text::bandwidth(written).map_err(|error| format!("{error}; {}", error.hint))?;
    if rate > Bandwidth::ZERO { Ok(rate) } else { Err("a link needs a rate above zero".to_owned()) }
}
