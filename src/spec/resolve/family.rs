//! Domains of a family: which sizes are on offer, each as a product.

use std::collections::BTreeSet;

use super::context::Context;
use super::shelf::{Shelf, part_asker};
use crate::cost::domain_price;
use crate::fabric::{HbRequest, ascending_divisors, count_domain, domain_product};
use crate::hardware::{Family, Node, PriceBook, PricedItem};
use crate::spec::document::{SpecValue, TextPlace};
use crate::spec::reader::Reader;
use crate::spec::value;

/// GPUs of the largest domain that is tried by itself.
const LARGEST: u32 = 4_096;

impl Shelf {
    /// Family and GPUs of the domain of that name; `None` where no family makes it.
    pub(super) fn find_domain<'n>(&self, name: &'n str) -> Option<(&'n str, u32)> {
        Family::domain_of(name).filter(|(family, _)| self.families.has_part(family))
    }

    /// The family of that name, its GPU and interface included.
    pub(super) fn resolve_family(
        &self,
        context: &mut Context<'_>,
        name: &str,
        asked: Option<(String, TextPlace)>,
    ) -> Option<Family> {
        let reader = self.families.find_part(context, name, asked)?;
        let host_link = reader.bandwidth_or_default("host_link");
        let gpu = self.resolve_gpu(
            context,
            reader.read_text("gpu")?,
            part_asker(&reader, "gpu"),
            host_link,
        );
        let nic = self.resolve_nic(context, reader.read_text("nic")?, part_asker(&reader, "nic"));
        Family::read(&reader, name.to_owned(), gpu?, nic?, stated_domain_sizes(&reader))
    }

    /// The domain of so many GPUs of a family, as a product.
    pub(super) fn family_domain(
        &self,
        context: &mut Context<'_>,
        family: &str,
        gpus: u32,
        asked: Option<(String, TextPlace)>,
    ) -> Option<Node> {
        let known_family = self.resolve_family(context, family, asked.clone())?;
        let reader = self.families.part_reader(family)?;
        match domain_product(&known_family, gpus) {
            Ok((node, _)) => Some(node),
            Err(problem) => {
                let message = problem.to_string();
                let hint = format!("change [hardware.families.{family}], or name another size");
                let (path, place) = asked
                    .map_or((reader.path().to_owned(), reader.place()), |pair| {
                        (pair.0, Some(pair.1))
                    });
                let kind = crate::spec::problem::ProblemKind::Contradiction { message, hint };
                context.add_problem(path, place, kind);
                None
            }
        }
    }

    /// Names of the domains that a family offers: of the sizes that it states, else of those that
    /// can be made, divide the cluster and may pay.
    pub(super) fn family_domain_names(&self, context: &mut Context<'_>, name: &str) -> Vec<String> {
        let quiet = Some((String::new(), TextPlace::from_spec_range(0, 0)));
        let Some(family) = self.resolve_family(context, name, quiet) else { return Vec::new() };
        let sizes = match &family.gpus {
            Some(stated) => stated.clone(),
            None => self.worthwhile_domain_sizes(context, &family),
        };
        if family.gpus.is_none() {
            let list: Vec<String> = sizes.iter().map(u32::to_string).collect();
            let path = format!("hardware.families.{name}.gpus");
            context.note_assumption(path, format!("auto: {}", list.join(", ")));
        }
        sizes.into_iter().map(|gpus| Family::domain_name(name, gpus)).collect()
    }

    /// Sizes that divide the cluster, are whole trays and can be made, and of these: powers of two
    /// times a tray; the least that leaves every rail on one switch of some model; the least that
    /// holds a group of the stated degrees.
    fn worthwhile_domain_sizes(&self, context: &Context<'_>, family: &Family) -> Vec<u32> {
        let gpus = context.section_reader("cluster").small_count("gpus").unwrap_or(0);
        let can_be: Vec<u32> = ascending_divisors(gpus)
            .into_iter()
            .filter(|count| {
                *count <= LARGEST && count.is_multiple_of(family.tray.max(1)) && *count > 1
            })
            .filter(|count| count_domain(&HbRequest::from_family(family, *count)).is_ok())
            .collect();
        let least = |wanted: u64| can_be.iter().copied().find(|count| u64::from(*count) >= wanted);
        let rate = family.nic.bandwidth;
        let switches = self.switches.item_names().filter_map(|name| {
            crate::hardware::Switch::read(&self.switches.part_reader(name)?, name.clone())
        });
        let radixes: BTreeSet<u32> = switches.map(|switch| switch.radix(rate)).collect();
        let rails = radixes.into_iter().filter(|ports| *ports > 0);
        let rails = rails.filter_map(|ports| least(u64::from(gpus.div_ceil(ports))));
        let parallelism = context.section_reader("parallelism");
        let degrees = ["tensor", "context", "expert"]
            .map(|key| parallelism.small_count(key).map_or(1, u64::from));
        let group = least(degrees.iter().product());
        let doubled =
            can_be.iter().copied().filter(|count| (count / family.tray.max(1)).is_power_of_two());
        let chosen: BTreeSet<u32> = doubled.chain(rails).chain(group).collect();
        chosen.into_iter().collect()
    }
}

/// The sizes that a family states, each once; `None` where they are open.
fn stated_domain_sizes(reader: &Reader<'_>) -> Option<Vec<u32>> {
    let item = reader.table().get("gpus").filter(|item| !value::is_auto(item))?;
    let count = |item| value::parse_count(item, 1, u64::from(u32::MAX)).ok();
    let stated: BTreeSet<u32> = match &item.value {
        SpecValue::List(items) => items.iter().filter_map(count).collect::<Vec<u64>>(),
        _ => count(item).into_iter().collect(),
    }
    .into_iter()
    .filter_map(|number| u32::try_from(number).ok())
    .collect();
    Some(stated.into_iter().collect())
}

/// The book with a price of every domain that a family makes and that has none of its own.
pub(super) fn price_family_domains(
    families: &[Family],
    nodes: &[Node],
    mut book: PriceBook,
) -> PriceBook {
    for node in nodes {
        let item = PricedItem::Part(node.name.clone());
        let Some((name, gpus)) = Family::domain_of(&node.name) else { continue };
        let family = families.iter().find(|family| family.name == name);
        let (Some(family), Some(prices)) = (family, book.families.get(name)) else { continue };
        let counts = count_domain(&HbRequest::from_family(family, gpus));
        let price = counts.ok().and_then(|counts| domain_price(family, &counts, prices));
        if let Some(price) = price.filter(|_| !book.prices.contains_key(&item)) {
            book.prices.insert(item, price);
        }
    }
    book
}
