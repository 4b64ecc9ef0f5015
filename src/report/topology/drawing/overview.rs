//! Alike switches, rails and domains folded together: what a fabric of any size is made of.

use super::canvas::{
    Area, Canvas, CanvasAnchor, DrawingTint, INK, LEFT, LINE, PANEL, PAPER, RIGHT, SWITCH, Stroke,
    TOP, tint_for_rail,
};
use crate::fabric::{Counts, SwitchTier, TierName};
use crate::report::number;

/// Height of a layer.
const ROW: f64 = 62.0;
/// Height between two layers.
const BETWEEN: f64 = 74.0;
/// Most rails that are drawn one by one.
const MOST_RAILS: u32 = 8;
/// HB domains that are drawn one by one.
const DOMAINS: u32 = 4;
/// Size of a switch.
const ICON: (f64, f64) = (20.0, 12.0);

/// Draws the fabric.
pub(super) fn draw_overview(canvas: &mut Canvas, counts: &Counts) {
    let columns = Columns::from_counts(counts);
    let mut below: Option<Vec<Area>> = None;
    let mut leafs: Vec<Area> = Vec::new();
    let names: Vec<TierName> =
        TierName::ALL.into_iter().filter(|name| counts.switches_in_tier(*name) > 0).collect();
    let top = |level: usize| TOP + (names.len() - 1 - level) as f64 * (ROW + BETWEEN);
    for (level, name) in names.iter().enumerate() {
        let areas = columns.layer_areas(counts, *name, top(level));
        if let Some(lower) = &below {
            draw_link_bands(canvas, &columns, &areas, lower);
            draw_links_caption(canvas, counts, *name, top(level) + ROW + BETWEEN / 2.0);
        }
        for (k, area) in areas.iter().enumerate() {
            let colour = columns.column_colour(areas.len(), k);
            let each = counts.switches_in_tier(*name)
                / u64::from(counts.planes.max(1))
                / areas_of(&areas, &columns);
            draw_layer(canvas, *area, each, name.name(), colour);
        }
        columns.draw_folded_dots(canvas, &areas, top(level) + ROW / 2.0);
        if level == 0 {
            leafs.clone_from(&areas);
        }
        draw_layer_caption(canvas, counts, *name, top(level));
        below = Some(areas);
    }
    let y = if names.is_empty() { TOP } else { top(0) + ROW + BETWEEN };
    draw_domains(canvas, counts, &columns, &leafs, y);
    draw_notes(canvas, counts, &columns);
}

/// Rails that have a column of their own; none where a layer can't be taken apart by rail.
struct Columns {
    rails: Vec<u32>,
    /// Rails in all, the folded ones too.
    count: u32,
}

/// In how many alike parts a layer is divided.
fn areas_of(areas: &[Area], columns: &Columns) -> u64 {
    if areas.len() > 1 { u64::from(columns.count) } else { 1 }
}

impl Columns {
    fn from_counts(counts: &Counts) -> Self {
        let parts = u64::from(counts.rails) * u64::from(counts.planes.max(1));
        let alike = |name: TierName| counts.switches_in_tier(name).is_multiple_of(parts.max(1));
        let apart = counts.kind.has_rails()
            && counts.rails > 1
            && alike(TierName::Leaf)
            && (counts.kind.joins_rails() || TierName::ALL.into_iter().all(alike));
        let rails = match counts.rails {
            _ if !apart => Vec::new(),
            few @ 1..=MOST_RAILS => (0..few).collect(),
            many => vec![0, 1, 2, many - 1],
        };
        Self { rails, count: counts.rails }
    }

    /// True where rails were left out between the last two columns.
    fn has_folded_rails(&self) -> bool {
        self.rails.len() < self.count as usize
    }

    /// The boxes of a layer: one for each column, or one for all.
    fn layer_areas(&self, counts: &Counts, name: TierName, y: f64) -> Vec<Area> {
        let whole = Area { x: LEFT, y, width: RIGHT - LEFT, height: ROW };
        let joined = name != TierName::Leaf && counts.kind.joins_rails();
        if self.rails.is_empty() || joined {
            return vec![whole];
        }
        let gaps = usize::from(self.has_folded_rails());
        let slot = whole.width / (self.rails.len() + gaps) as f64;
        let place = |(k, _): (usize, &u32)| {
            // The gap for the folded rails is before the last column.
            let at = if k + 1 == self.rails.len() { k + gaps } else { k };
            Area { x: LEFT + slot * at as f64 + 6.0, width: slot - 12.0, ..whole }
        };
        self.rails.iter().enumerate().map(place).collect()
    }

    fn column_colour(&self, areas: usize, k: usize) -> DrawingTint {
        if areas > 1 {
            self.rails.get(k).map_or(SWITCH, |count| tint_for_rail(*count))
        } else {
            SWITCH
        }
    }

    fn draw_folded_dots(&self, canvas: &mut Canvas, areas: &[Area], y: f64) {
        if areas.len() > 1 && self.has_folded_rails() {
            let x = (areas[areas.len() - 2].right_x() + areas[areas.len() - 1].x) / 2.0;
            let text = format!("… {} more rails …", self.count as usize - areas.len());
            canvas.add_note((x, y + 4.0), CanvasAnchor::Middle, &text);
        }
    }
}

/// Some switches of a layer, and how many there are.
fn draw_layer(canvas: &mut Canvas, area: Area, count: u64, noun: &str, colour: DrawingTint) {
    canvas.add_panel(area, PANEL, colour, "");
    let room = ((area.width - 24.0) / (ICON.0 + 5.0)).floor().clamp(1.0, 24.0) as u64;
    let drawn = if count <= room { count } else { room.saturating_sub(2).max(1) };
    let taken = drawn as f64 * (ICON.0 + 5.0) - 5.0 + if drawn < count { 24.0 } else { 0.0 };
    let left = area.centre_x() - taken / 2.0;
    for k in 0..drawn {
        // The last one stands behind the dots.
        let behind = if drawn < count && k + 1 == drawn { 24.0 } else { 0.0 };
        let x = left + k as f64 * (ICON.0 + 5.0) + behind;
        canvas.add_cell(Area { x, y: area.y + 12.0, width: ICON.0, height: ICON.1 }, colour);
    }
    if drawn < count {
        let x = left + (drawn - 1) as f64 * (ICON.0 + 5.0) + 10.0;
        canvas.add_note((x, area.y + 22.0), CanvasAnchor::Middle, "…");
    }
    let text = number::count_with_noun(count, noun, &format!("{noun}s"));
    canvas.add_text((area.centre_x(), area.y + 47.0), CanvasAnchor::Middle, &text);
}

/// Links between two layers; below one box for all, each column has its part of the width.
fn draw_link_bands(canvas: &mut Canvas, columns: &Columns, upper: &[Area], lower: &[Area]) {
    for (k, low) in lower.iter().enumerate() {
        let high = match upper {
            [whole] => Area { x: low.x, width: low.width, ..*whole },
            many => many[k],
        };
        canvas.add_band(high, *low, columns.column_colour(lower.len(), k));
    }
}

/// Models of a layer that have room for their ports beside it.
const WITH_PORTS: usize = 2;

/// On the left of a layer: its models, over all planes, and their ports where these are few; a
/// table has them all.
fn draw_layer_caption(canvas: &mut Canvas, counts: &Counts, name: TierName, y: f64) {
    let tiers: Vec<&SwitchTier> = counts.tiers.iter().filter(|tier| tier.name == name).collect();
    let with_ports = tiers.len() <= WITH_PORTS;
    let lines = if with_ports { 2.0 } else { 1.0 };
    for (k, tier) in tiers.iter().enumerate() {
        let y = y + 16.0 + lines * LINE * k as f64;
        let count = number::count(tier.count);
        let model = if tier.model.is_empty() {
            format!("{}-port switch", tier.radix)
        } else {
            tier.model.clone()
        };
        canvas.add_text((30.0, y), CanvasAnchor::Start, &format!("{count} × {model}"));
        if !with_ports {
            continue;
        }
        let ports = match tier.up {
            0 => format!("{} ports down", tier.down),
            up => format!("{} ports down, {up} up", tier.down),
        };
        canvas.add_note((30.0, y + LINE), CanvasAnchor::Start, &ports);
    }
}

/// On the left between two layers: the links below the upper one.
fn draw_links_caption(canvas: &mut Canvas, counts: &Counts, upper: TierName, y: f64) {
    let links = match upper {
        TierName::Leaf => return,
        TierName::Spine => counts.leaf_spine_links,
        TierName::Core => counts.spine_core_links,
        TierName::SuperCore => counts.other_links.iter().map(|group| group.count).sum(),
    };
    links_at(canvas, links, &number::link_rate(counts.uplink), y);
}

fn links_at(canvas: &mut Canvas, links: u64, rate: &str, y: f64) {
    let text = format!("{} at {rate}", number::count_with_noun(links, "link", "links"));
    canvas.add_note((30.0, y), CanvasAnchor::Start, &text);
}

/// A few HB domains with a NIC on each rail, below the leafs.
fn draw_domains(canvas: &mut Canvas, counts: &Counts, columns: &Columns, leafs: &[Area], y: f64) {
    let rails = counts.rails.max(1);
    let all = counts.endpoints.div_ceil(u64::from(rails));
    let shown: Vec<u32> =
        if rails <= MOST_RAILS { (0..rails).collect() } else { vec![0, 1, 2, rails - 1] };
    if !leafs.is_empty() {
        links_at(canvas, counts.host_links, &number::link_rate(counts.link), y - BETWEEN / 2.0);
    }
    let drawn = all.min(u64::from(DOMAINS)) as u32;
    let slot = (RIGHT - LEFT) / f64::from(drawn);
    for k in 0..drawn {
        let last = u64::from(k) + 1 == u64::from(drawn);
        let number = if last { all - 1 } else { u64::from(k) };
        let width = slot * 0.62;
        let x = LEFT + slot * (f64::from(k) + 0.5) - width / 2.0;
        let area = Area { x, y, width, height: 48.0 };
        if let [whole] = leafs {
            let foot = Area { y: whole.y, height: whole.height, x, width };
            canvas.add_band(foot, area, SWITCH);
        }
        let step = width / shown.len() as f64;
        let cell = 16.0_f64.min(step - 4.0);
        for (place, size) in shown.iter().enumerate() {
            let at = x + step * (place as f64 + 0.5);
            if leafs.len() > 1
                && let Some(column) = columns.rails.iter().position(|rail| rail == size)
            {
                let leaf = leafs[column];
                let stroke = Stroke { tint: tint_for_rail(*size), width: 1.4, opacity: 0.75 };
                canvas.add_line((at, y + 10.0), (leaf.centre_x(), leaf.bottom_y()), stroke);
            }
        }
        canvas.add_panel(area, PAPER, INK, "");
        for (place, size) in shown.iter().enumerate() {
            let at = x + step * (place as f64 + 0.5);
            let nic = Area { x: at - cell / 2.0, y: y + 8.0, width: cell, height: cell };
            canvas.add_cell(nic, tint_for_rail(*size));
        }
        let label = format!("HB domain {number}");
        canvas.add_text((area.centre_x(), y + 40.0), CanvasAnchor::Middle, &label);
        if last && all > u64::from(drawn) {
            let text = format!("… {} more …", number::count(all - u64::from(drawn)));
            canvas.add_note((x - (slot - width) / 2.0, y + 28.0), CanvasAnchor::Middle, &text);
        }
    }
    let text = number::count_with_noun(all, "HB domain", "HB domains");
    canvas.add_text((30.0, y + 16.0), CanvasAnchor::Start, &text);
    let nics = format!("{} each", number::count_with_noun(rails, "NIC", "NICs"));
    canvas.add_note((30.0, y + 16.0 + LINE), CanvasAnchor::Start, &nics);
}

/// What no box shows: planes, links between alike switches, what the fabric promises.
fn draw_notes(canvas: &mut Canvas, counts: &Counts, columns: &Columns) {
    let mut lines = Vec::new();
    if counts.planes > 1 {
        lines.push(format!(
            "one of {} equal planes is drawn; numbers on the left are those of all planes",
            counts.planes
        ));
    }
    if !counts.kind.joins_rails() {
        let shared = if columns.rails.is_empty() {
            "; rails that share a switch are kept apart"
        } else {
            ""
        };
        lines.push(format!("rails meet only inside HB domains{shared}"));
    }
    for group in &counts.other_links {
        let links = number::count_with_noun(group.count, "link", "links");
        let rate = number::link_rate(group.rate);
        lines.push(format!("{links} at {rate}, {}", group.class.name()));
    }
    let y = canvas.drawn_bottom() + 34.0;
    for (k, line) in lines.iter().enumerate() {
        canvas.add_note((LEFT, y + LINE * k as f64), CanvasAnchor::Start, line);
    }
}
