//! Parts by name; domains of a family.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::context::Context;
use crate::cost::domain_price;
use crate::fabric::{HbRequest, ascending_divisors, count_domain, domain_product};
use crate::hardware::{Family, Node, PriceBook, PricedItem, Switch};
use crate::keys::Section;
use crate::spec::document::{SpecTable, SpecValue, TextPlace};
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::spec::value;
use crate::units::Bandwidth;

/// All parts as trees.
pub(super) struct Shelf {
    pub(super) gpus: Drawer,
    pub(super) nodes: Drawer,
    pub(super) nics: Drawer,
    pub(super) switches: Drawer,
    pub(super) optics: Drawer,
    pub(super) cables: Drawer,
    pub(super) appliances: Drawer,
    pub(super) links: Drawer,
    pub(super) families: Drawer,
    pub(super) calibrations: Drawer,
}

/// The parts of one kind.
pub(super) struct Drawer {
    what: &'static str,
    kind: &'static str,
    section: &'static Section,
    parts: Cow<'static, SpecTable>,
    /// Names that the spec defines or changes.
    pub(super) own: Vec<String>,
}

impl Drawer {
    pub(super) fn new(
        context: &Context<'_>,
        what: &'static str,
        kind: &'static str,
        section: &'static Section,
    ) -> Self {
        let shipped = context.presets.entries_of_kind(kind);
        let own =
            context.document.get_table("hardware").and_then(|hardware| hardware.get_table(kind));
        let names = own.map(|own| own.entries.keys().cloned().collect()).unwrap_or_default();
        let parts = own.map_or(Cow::Borrowed(shipped), |own| Cow::Owned(shipped.overlay_with(own)));
        Self { what, kind, section, parts, own: names }
    }

    pub(super) fn item_names(&self) -> impl Iterator<Item = &String> {
        self.parts.entries.keys()
    }

    pub(super) fn has_part(&self, name: &str) -> bool {
        self.parts.entries.contains_key(name)
    }

    /// The spec defines or changes the part of that name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.iter().any(|own| own == name)
    }

    /// The part of that name; reports where there is none, and what a part of the spec's own
    /// lacks.
    pub(super) fn find_part(
        &self,
        context: &mut Context<'_>,
        name: &str,
        asked: Option<(String, TextPlace)>,
    ) -> Option<Reader<'_>> {
        if !self.has_part(name) {
            let path = format!("hardware.{}.{name}", self.kind);
            let (key, place) = asked.map_or((path, None), |(key, place)| (key, Some(place)));
            context.report_unknown_name(key, place, self.what, name, self.item_names().cloned());
            return None;
        }
        let reader = self.part_reader(name)?;
        // Reported once, when the spec's own parts are gone through.
        if asked.is_none() {
            context.require_key(&reader, "");
        }
        Some(reader)
    }

    /// The part of that name; silent where there is none.
    pub(super) fn part_reader(&self, name: &str) -> Option<Reader<'_>> {
        let entry = self.parts.entries.get(name)?;
        let path = format!("hardware.{}.{name}", self.kind);
        Some(Reader::new(entry.item.value.as_table()?, self.section, path, Some(entry.key)))
    }

    /// Line rates of all parts, in whole Gb/s: those under a key, also over as many links as
    /// another key allows.
    pub(super) fn line_rates(&self, key: &str, split: Option<&str>) -> BTreeSet<u32> {
        let readers = self.item_names().filter_map(|name| self.part_reader(name));
        let each = readers.filter_map(|reader| {
            let rate = reader.read_bandwidth(key)?;
            let most = split.map_or(1, |split| reader.small_count_or_default(split));
            Some((1..=most).map(move |links| whole_gigabits(rate * (1.0 / f64::from(links)))))
        });
        each.flatten().collect()
    }

    /// Every part, by its reader and its name.
    pub(super) fn read_all<'s, T>(
        &'s self,
        read: impl Fn(&Reader<'s>, String) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.item_names().filter_map(move |name| read(&self.part_reader(name)?, name.clone()))
    }

    /// Parts of the spec's own.
    pub(super) fn own_parts(&self) -> impl Iterator<Item = (&String, Reader<'_>)> {
        self.own.iter().filter_map(|name| Some((name, self.part_reader(name)?)))
    }
}

/// Who asks for a part: a key, and where it stands.
pub(super) fn part_asker(reader: &Reader<'_>, key: &str) -> Option<(String, TextPlace)> {
    reader.place_of(key).map(|place| (reader.path_of(key), place))
}

/// A rate in whole Gb/s, as prices are looked up by.
pub(super) fn whole_gigabits(rate: Bandwidth) -> u32 {
    // A bandwidth of the table of keys is below 2³² Gb/s.
    rate.as_gigabits().round() as u32
}

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
                let kind = ProblemKind::new_contradiction(message, hint);
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
        let switches = self.switches.read_all(Switch::read);
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
