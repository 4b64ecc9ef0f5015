//! Parts by name as trees: presets overlaid with `[hardware.…]`. Types none of them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::context::Context;
use crate::keys::Section;
use crate::spec::document::{SpecTable, TextPlace};
use crate::spec::reader::Reader;
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

    /// Line rates of all parts, in whole Gb/s: those under a key, also over as many links as another
    /// key allows.
    pub(super) fn line_rates(&self, key: &str, split: Option<&str>) -> BTreeSet<u32> {
        let readers = self.item_names().filter_map(|name| self.part_reader(name));
        let each = readers.filter_map(|reader| {
            let rate = reader.read_bandwidth(key)?;
            let most = split.map_or(1, |split| reader.small_count_or_default(split));
            Some((1..=most).map(move |links| whole_gigabits(rate * (1.0 / f64::from(links)))))
        });
        each.flatten().collect()
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
