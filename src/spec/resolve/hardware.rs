//! Parts typed; calibration; presets without a spec.

use std::collections::BTreeMap;

use super::context::Context;
use super::shelf::{Drawer, Shelf, part_asker};
use crate::hardware::{
    Appliance, Cable, Calibration, Catalogue, Family, Gpu, LinkKind, LinkPricing, Nic, Node, Optic,
    Peaks, Switch,
};
use crate::spec::document::{EMPTY, TextPlace};
use crate::spec::reader::Reader;
use crate::units::{Bandwidth, FlopRate};
use crate::workload::{Collectives, Framework};

impl Shelf {
    /// The presets and the spec's own parts, each of which is checked whether used or not.
    pub(super) fn new(context: &mut Context<'_>) -> Self {
        let drawer = |what, kind, section| Drawer::new(context, what, kind, section);
        let shelf = Self {
            gpus: drawer("GPU", "gpus", &Gpu::SECTION),
            nodes: drawer("node", "nodes", &Node::SECTION),
            nics: drawer("NIC", "nics", &Nic::SECTION),
            switches: drawer("switch", "switches", &Switch::SECTION),
            optics: drawer("optic", "optics", &Optic::SECTION),
            cables: drawer("cable", "cables", &Cable::SECTION),
            appliances: drawer("appliance", "appliances", &Appliance::SECTION),
            links: drawer("link", "links", &LinkKind::SECTION),
            families: drawer("family", "families", &Family::SECTION),
            calibrations: drawer("calibration", "calibrations", &Calibration::SECTION),
        };
        for name in &shelf.gpus.own {
            shelf.resolve_gpu(context, name, None, Bandwidth::default());
        }
        for name in &shelf.nodes.own {
            shelf.resolve_node(context, name, None);
        }
        for name in &shelf.families.own {
            shelf.resolve_family(context, name, None);
        }
        let others = [&shelf.nics, &shelf.switches, &shelf.optics, &shelf.cables, &shelf.links];
        for drawer in others.into_iter().chain([&shelf.calibrations, &shelf.appliances]) {
            for name in &drawer.own {
                drawer.find_part(context, name, None);
            }
        }
        for (_, reader) in shelf.links.own_parts() {
            for key in ["near_module", "far_module"] {
                let Some(module) = reader.read_text(key) else { continue };
                shelf.optics.find_part(context, module, part_asker(&reader, key));
            }
        }
        shelf
    }

    /// Drawers whose parts are bought.
    pub(super) const fn purchasable_drawers(&self) -> [&Drawer; 6] {
        [&self.nodes, &self.nics, &self.switches, &self.optics, &self.cables, &self.appliances]
    }

    /// Whether the node of that name can be bought new: a choice among all nodes leaves out the
    /// others. True of what does not exist, which is refused elsewhere.
    pub(super) fn is_sold(&self, name: &str) -> bool {
        self.nodes.part_reader(name).is_none_or(|reader| reader.flag_or_default("sold"))
    }

    /// The node of that name, its GPU and interface included; `asked` is who wants it.
    pub(super) fn resolve_node(
        &self,
        context: &mut Context<'_>,
        name: &str,
        asked: Option<(String, TextPlace)>,
    ) -> Option<Node> {
        if !self.nodes.has_part(name)
            && let Some((family, gpus)) = self.find_domain(name)
        {
            return self.family_domain(context, family, gpus, asked);
        }
        let reader = self.nodes.find_part(context, name, asked)?;
        let (gpus, nics) = (reader.small_count("gpus"), reader.small_count("nics"));
        if let (Some(gpus), Some(nics)) = (gpus, nics)
            && !gpus.is_multiple_of(nics)
        {
            let message = format!("{nics} NICs do not divide {gpus} GPUs");
            let hint = "each NIC serves as many GPUs as the next";
            context.report_contradiction(&reader, "nics", message, hint);
        }
        let host_link = reader.bandwidth_or_default("host_link");
        let gpu = self.resolve_gpu(
            context,
            reader.read_text("gpu")?,
            part_asker(&reader, "gpu"),
            host_link,
        );
        let nic = self.resolve_nic(context, reader.read_text("nic")?, part_asker(&reader, "nic"));
        let node = Node::read(&reader, name.to_owned(), gpu?, nic?)?;
        if node.host_memory_max < node.host_memory {
            let message = "the host takes less memory than it ships with";
            let hint = "`host_memory_max` is at least `host_memory`";
            context.report_contradiction(&reader, "host_memory_max", message, hint);
        }
        Some(node)
    }

    /// The GPU of that name, in a product with such a link to the host.
    pub(super) fn resolve_gpu(
        &self,
        context: &mut Context<'_>,
        name: &str,
        asked: Option<(String, TextPlace)>,
        host_link: Bandwidth,
    ) -> Option<Gpu> {
        let reader = self.gpus.find_part(context, name, asked)?;
        let peaks = Peaks::read(&reader)?;
        let constants = resolve_gpu_calibration(self, context, &reader, &peaks);
        let gpu = Gpu::read(&reader, name.to_owned(), peaks, host_link, constants?)?;
        if !reader.is_stated("nccl") {
            let text = format!("{}: NCCL's constants of that generation", gpu.nccl.name());
            context.note_assumption(reader.path_of("nccl"), text);
        }
        Some(gpu)
    }

    /// The interface of that name.
    pub(super) fn resolve_nic(
        &self,
        context: &mut Context<'_>,
        name: &str,
        asked: Option<(String, TextPlace)>,
    ) -> Option<Nic> {
        let reader = self.nics.find_part(context, name, asked)?;
        Nic::read(&reader, name.to_owned()).map(Nic::with_usual_cages)
    }
}

/// All network parts, those of the spec included.
pub(super) fn resolve_catalogue(context: &mut Context<'_>, shelf: &Shelf) -> Catalogue {
    let switches = shelf.switches.read_all(Switch::read).map(Switch::with_usual_cage);
    let links = shelf.links.read_all(|reader, name| {
        let [near, far] =
            ["near_module", "far_module"].map(|key| reader.read_text(key).map(str::to_owned));
        LinkKind::read(reader, name, near, far)
    });
    // What a family that nobody chose takes for granted is no assumption of the design.
    let mut apart = Context::new(context.document);
    let families = shelf.families.item_names();
    let families =
        families.filter_map(|name| shelf.resolve_family(&mut apart, name, silent_asker()));
    let nics = shelf.nics.item_names();
    let catalogue = Catalogue {
        families: families.collect(),
        cables: shelf.cables.read_all(Cable::read).collect(),
        links: links.collect(),
        switches: switches.collect(),
        optics: shelf.optics.read_all(Optic::read).collect(),
        nics: nics.filter_map(|name| shelf.resolve_nic(context, name, silent_asker())).collect(),
    };
    say_usual_cages(context, shelf, &catalogue);
    catalogue
}

/// Says which cages of the spec's own parts were taken for granted, where links are bought as
/// parts.
fn say_usual_cages(context: &mut Context<'_>, shelf: &Shelf, catalogue: &Catalogue) {
    let cluster = context.section_reader("cluster");
    if cluster.read_field("links") != Some(LinkPricing::Parts) {
        return;
    }
    for (drawer, section) in [(&shelf.nics, "nics"), (&shelf.switches, "switches")] {
        for (name, reader) in drawer.own_parts().filter(|(_, reader)| !reader.is_stated("cage")) {
            let nic = catalogue.nics.iter().find(|nic| section == "nics" && nic.name == *name);
            let switch = catalogue.switches.iter().find(|switch| switch.name == *name);
            let cage = match nic {
                Some(nic) => nic.cage,
                None => switch.and_then(|switch| switch.cage),
            };
            let text = match (cage, nic.and_then(|nic| nic.plane_cage)) {
                (None, _) => {
                    "none is usual at its rate: its links are counted by their ends".to_owned()
                }
                (Some(cage), None) => format!("{}: the usual one of its rate", cage.name()),
                (Some(cage), Some(several)) => {
                    format!(
                        "{}, {} with a port for each plane: the usual ones of its rate",
                        cage.name(),
                        several.name()
                    )
                }
            };
            context.note_assumption(reader.path_of("cage"), text);
        }
    }
}

fn silent_asker() -> Option<(String, TextPlace)> {
    Some((String::new(), TextPlace::from_spec_range(0, 0)))
}

/// The set of a GPU of which no step was measured, nor of any near it.
const UNMEASURED: &str = "unmeasured";

/// The constants of a GPU. Rates that were measured on another GPU, whose peaks differ, are taken
/// as shares of peak; where the spec names no set, the least shares that any measured generation
/// reaches. That is an assumption, and the constants say so.
fn resolve_gpu_calibration(
    shelf: &Shelf,
    context: &mut Context<'_>,
    gpu: &Reader<'_>,
    own: &Peaks,
) -> Option<Calibration> {
    check_peak_rates(context, gpu, own);
    let named = gpu.read_text("calibration");
    let set = named.unwrap_or(UNMEASURED);
    let asked = named.and_then(|_| part_asker(gpu, "calibration"));
    let constants = resolve_calibration(shelf, context, set, asked)?;
    let source = shelf.calibrations.part_reader(set)?;
    let measured = match source.read_text("gpu") {
        None => None,
        // A shipped set was measured on the GPU as it ships, whatever the spec makes of that.
        Some(name) => match context.presets.entries_of_kind("gpus").get(name) {
            Some(entry) if !shelf.calibrations.is_own(set) => Some((
                name,
                Peaks::read(&Reader::new(entry.value.as_table()?, &Gpu::SECTION, name, None))?,
            )),
            _ => {
                let asked = part_asker(&source, "gpu");
                Some((name, Peaks::read(&shelf.gpus.find_part(context, name, asked)?)?))
            }
        },
    };
    let limit = measured.as_ref().map_or(own, |(_, peaks)| peaks);
    if let Some((key, rate, peak)) = constants.rate_above_peak(limit) {
        let message =
            format!("{} is more than the peak, {}", format_flop_rate(rate), format_flop_rate(peak));
        let hint = "name the GPU that it was measured on as `gpu`; of another one its share of \
                    peak is taken";
        context.report_contradiction(&source, key, message, hint);
        return None;
    }
    let Some((name, measured)) = measured else { return Some(constants) };
    if named.is_some() && measured == *own {
        return Some(constants);
    }
    let text = match named {
        Some(_) => {
            format!("{set}: shares of its own peaks as `{name}` reaches; no step was measured")
        }
        None => format!("{set}: the least shares of peak that any measured GPU reaches"),
    };
    context.note_assumption(gpu.path_of("calibration"), text);
    Some(constants.scale_to_gpu(own, &measured, name))
}

/// Reports peaks that contradict each other: parts of a step in few bits run in 16, and a narrow
/// format that is slower than a wide one is of no use.
fn check_peak_rates(context: &mut Context<'_>, gpu: &Reader<'_>, peaks: &Peaks) {
    let narrow = [("peak_fp8", peaks.fp8), ("peak_fp4", peaks.fp4)];
    let mut wide = ("peak_bf16", peaks.bf16);
    for (key, peak) in narrow {
        let Some(peak) = peak else { continue };
        let Some(wider) = wide.1 else {
            let message = "no 16-bit peak beside it";
            let hint = "state `peak_bf16` too: parts of a step in fewer bits run in 16";
            return context.report_contradiction(gpu, key, message, hint);
        };
        if peak < wider {
            let message = format!(
                "{} is less than `{}`, {}",
                format_flop_rate(peak),
                wide.0,
                format_flop_rate(wider)
            );
            let hint = "leave a format out that is slower than a wider one";
            context.report_contradiction(gpu, key, message, hint);
        }
        wide = (key, Some(peak));
    }
}

fn format_flop_rate(rate: FlopRate) -> String {
    format!("{} TFLOP/s", rate.as_tera())
}

/// The calibration of that name; `asked` is who wants it.
fn resolve_calibration(
    shelf: &Shelf,
    context: &mut Context<'_>,
    name: &str,
    asked: Option<(String, TextPlace)>,
) -> Option<Calibration> {
    let reader = shelf.calibrations.find_part(context, name, asked)?;
    let measured_on = reader.read_text("gpu").map(str::to_owned);
    Calibration::read(&reader, name.to_owned(), measured_on, None)
}

/// Every node that ships, by name.
pub(crate) fn shipped_nodes() -> BTreeMap<String, Node> {
    let mut context = Context::new(&EMPTY);
    let shelf = Shelf::new(&mut context);
    let names = shelf.nodes.item_names();
    names
        .filter_map(|name| Some((name.clone(), shelf.resolve_node(&mut context, name, None)?)))
        .collect()
}

/// Every switch that ships, by name.
pub(crate) fn shipped_switches() -> BTreeMap<String, Switch> {
    let mut context = Context::new(&EMPTY);
    let shelf = Shelf::new(&mut context);
    let catalogue = resolve_catalogue(&mut context, &shelf);
    catalogue.switches.into_iter().map(|switch| (switch.name.clone(), switch)).collect()
}

/// Every training stack that ships, by name.
pub(crate) fn shipped_frameworks() -> BTreeMap<String, Framework> {
    let stacks = Context::new(&EMPTY).presets.entries_of_kind("frameworks");
    stacks
        .entries
        .keys()
        .filter_map(|name| {
            let reader =
                Reader::new(stacks.get_table(name)?, &Framework::SECTION, "framework", None);
            Some((name.clone(), Framework::read(&reader, name.clone(), Collectives::DEFAULT)?))
        })
        .collect()
}
