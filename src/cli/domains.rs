//! HB domains as they are typed for `planner fabric`: a number of NICs or a product, and how many
//! of them. Which rails they share is the fabric's business.

use super::failure::Failure;
use crate::fabric::HbDomainGroup;
use crate::hardware::Node;
use crate::report::DomainSheet;
use crate::spec::presets;

/// Alike HB domains.
#[derive(Clone, Debug)]
pub(super) struct DomainArg {
    /// How many; `None` where all NICs are in such domains.
    count: Option<u64>,
    nics: u32,
    /// The product; `None` where only its NICs are given.
    node: Option<Box<Node>>,
}

impl DomainArg {
    /// How many of them hold so many NICs, where that is not said.
    pub(super) fn with_nic_count(&self, endpoints: u64) -> HbDomainGroup {
        let count = self.count.unwrap_or_else(|| endpoints.div_ceil(u64::from(self.nics)));
        HbDomainGroup { count, nics: self.nics }
    }

    /// What a report says of them.
    pub(super) fn domain_sheet(&self, endpoints: u64, rails: u32) -> DomainSheet {
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
pub(super) fn parse_domain(text: &str) -> Result<DomainArg, String> {
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
            Err(format!("write NICs of a domain or a product: {}", names.join(", ")))
        }
    }
}

/// Most domains of a kind: low enough that no count overflows.
const MOST_DOMAINS: u64 = 1 << 24;

/// NICs to join: those asked for, or those of all domains.
pub(super) fn count_endpoints(asked: Option<u64>, domains: &[DomainArg]) -> Result<u64, Failure> {
    let read = |domain: &DomainArg| Some(domain.count? * u64::from(domain.nics));
    let all: Option<u64> = domains.iter().map(read).sum();
    let hint = "see `planner fabric --help`";
    match (asked, all.filter(|_| !domains.is_empty())) {
        (Some(asked), Some(all)) if asked != all => {
            let error = anyhow::anyhow!("the domains have `{all}` NICs, not `{asked}`");
            Err(Failure::usage_error(error, "leave out `--endpoints`"))
        }
        (_, Some(all)) => Ok(all),
        (None, None) => {
            let text = "nothing says how many NICs to join: give `--endpoints`, or how many of each \
                        domain, as in `--domain 128xdgx-h100`";
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
