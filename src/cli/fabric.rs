//! `planner fabric`: counts of one fabric, without any model.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::Options;
use super::failure::Failure;
use crate::fabric::{self, FabricKind, Ratio, Request, Split, SwitchChoice};
use crate::report;
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
    #[arg(long, value_name = "K")]
    radix: u32,
    /// Rails: NICs of an HB domain [default: the domain's size, else 8; 1 where there are none]
    #[arg(long, value_name = "R")]
    rails: Option<u32>,
    /// Separate copies of the fabric, each with a share of the NIC; ports split likewise
    #[arg(long, value_name = "P", default_value_t = 1)]
    planes: u32,
    /// Most downlink over uplink bandwidth of a leaf, as `7:1`
    #[arg(long, value_name = "D:U", default_value = "1:1", value_parser = oversubscription)]
    oversubscription: Ratio,
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
    let switch = SwitchChoice::Radix(args.radix);
    let request = Request::new(args.kind, args.endpoints, rails, switch, args.nic)
        .with_split(Split::AtLeast(args.oversubscription))
        .in_planes(args.planes);
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

/// A line rate above zero.
fn rate(written: &str) -> Result<Bandwidth, String> {
    let rate = text::bandwidth(written).map_err(|error| format!("{error}; {}", error.hint))?;
    if rate > Bandwidth::ZERO { Ok(rate) } else { Err("a link needs a rate above zero".to_owned()) }
}
