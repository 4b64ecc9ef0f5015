//! A domain of a family as a product, so that a design takes it like one that is bought whole.

use super::nouns::{HbCounts, HbRequest};
use super::problem::HbProblem;
use crate::hardware::{Family, Node, Rack, RackSpace};
use crate::units::{Bytes, Watts};

/// The domain of so many GPUs as a product, with what it is made of.
///
/// # Errors
/// Where so many GPUs can't be joined so.
pub fn product(family: &Family, gpus: u32) -> Result<(Node, HbCounts), HbProblem> {
    let counts = super::count_hb_domain(&HbRequest::from_family(family, gpus))?;
    let rate = family.link_bandwidth * f64::from(family.links) * counts.rate_share(family.rate);
    let power = domain_power(family, &counts);
    let memory = Bytes::new(family.host_memory.count().saturating_mul(u128::from(gpus)));
    let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let node = Node {
        name: Family::domain_name(&family.name, gpus),
        gpu: family.gpu.clone(),
        gpus,
        hb_bandwidth: rate,
        hb_switches: Some(small(counts.chip_count())),
        hb_links: Some(small(counts.link_count())),
        hb_reduces: family.hb_reduces && counts.levels > 0,
        nics: gpus,
        nic: family.nic.clone(),
        nic_cage: None,
        host_memory: memory,
        host_memory_max: memory,
        power,
        space: domain_rack_space(family, gpus, power),
        tray: gpus.is_multiple_of(family.tray).then_some(family.tray),
        forwards: family.forwards,
    };
    Ok((node, counts))
}

/// Power of a domain: GPUs with their hosts, chips, and what ends links between chips.
fn domain_power(family: &Family, counts: &HbCounts) -> Watts {
    family.gpu_power * f64::from(counts.request.gpus)
        + family.chip_power * counts.chip_count() as f64
        + family.long_link_power * counts.long_links as f64
}

/// Whole racks where a domain fills one, or what it draws asks for more; else its share of one.
fn domain_rack_space(family: &Family, gpus: u32, power: Watts) -> Option<RackSpace> {
    let room = family.rack_gpus?;
    let by_power = family.rack_watts.filter(|most| *most > Watts::ZERO);
    let by_power = by_power.map_or(0, |most| (power / most).ceil() as u32);
    let racks = gpus.div_ceil(room).max(by_power);
    let shared = u64::from(Rack::UNITS) * u64::from(gpus);
    let units = u32::try_from(shared.div_ceil(u64::from(room))).unwrap_or(Rack::UNITS);
    Some(if gpus < room && racks == 1 { RackSpace::Units(units) } else { RackSpace::Racks(racks) })
}
