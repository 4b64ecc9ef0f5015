//! Every switch, cable and NIC of one plane. Leafs stand side by side over the NICs that plug
//! into them, so that no cable to a NIC crosses another; one HB domain is outlined.

use std::collections::BTreeMap;

use super::canvas::{
    Area, Canvas, CanvasAnchor, FAILED, FRAME, INK, LEFT, LINE, PANEL, PAPER, RIGHT, Stroke, TOP,
    rail_tint, tint_for_rail,
};
use crate::fabric::{Counts, FabricGraph, FabricNode, OutOfService, TierName};
use crate::report::number;

/// Height of a switch.
const SWITCH_HEIGHT: f64 = 24.0;
/// Height between two layers of switches, for the cables.
const BETWEEN: f64 = 130.0;
/// Height that the NICs of a leaf may take.
const BLOCK: f64 = 190.0;
/// Least width of a switch that still has room for its name.
const ROOM_FOR_NAME: f64 = 62.0;

/// One plane of a graph, layer by layer.
pub(super) struct Plane<'a> {
    graph: &'a FabricGraph,
    /// Switches by layer, lowest first, in their order.
    layers: Vec<(TierName, Vec<usize>)>,
    /// Cables between switches: lower, upper, links, and how many of those are left.
    cables: Vec<(usize, usize, [u32; 2])>,
    /// NICs and other hosts of each leaf, by rail and then by domain, and whether they are cut off
    /// from it.
    hosts: BTreeMap<usize, Vec<(FabricNode, bool)>>,
    broken: Option<&'a OutOfService>,
    /// Its number, from 0.
    number: u32,
}

impl<'a> Plane<'a> {
    /// The first plane, or the first in which a switch or one of its cables failed.
    pub(super) fn plane_to_draw(graph: &'a FabricGraph, broken: Option<&'a OutOfService>) -> Self {
        let number = broken.and_then(|broken| failed_plane(graph, broken)).unwrap_or(0);
        let on_it = |node: usize| match graph.node(node) {
            Some(FabricNode::Switch { tier, plane, .. }) if plane == number => Some(tier),
            _ => None,
        };
        let mut layers: Vec<(TierName, Vec<usize>)> =
            TierName::ALL.into_iter().map(|tier| (tier, Vec::new())).collect();
        for (node, _) in graph.nodes().enumerate() {
            if let Some(tier) = on_it(node) {
                layers[tier as usize].1.push(node);
            }
        }
        layers.retain(|(_, switches)| !switches.is_empty());
        let mut cables = Vec::new();
        let mut hosts: BTreeMap<usize, Vec<(FabricNode, bool)>> = BTreeMap::new();
        for (place, ends) in graph.cables().enumerate() {
            let (low, high, cable) = ends;
            let left = broken
                .map_or(cable.links, |broken| broken.links_left(place, ends.0, ends.1, ends.2));
            match (graph.node(low), on_it(high)) {
                (Some(FabricNode::Switch { .. }), Some(_)) => {
                    cables.push((low, high, [cable.links, left]));
                }
                (Some(host), Some(_)) => hosts.entry(high).or_default().push((host, left == 0)),
                _ => {}
            }
        }
        hosts.values_mut().for_each(|nodes| nodes.sort_by_key(|(node, _)| order_under_leaf(*node)));
        Self { graph, layers, cables, hosts, broken, number }
    }

    /// Leafs of the plane.
    pub(super) fn leaf_count(&self) -> usize {
        self.layers.first().map_or(0, |(_, leafs)| leafs.len())
    }

    /// The most NICs of one rail under a leaf that holds several rails.
    fn longest_rail_run(&self, leafs: &[usize]) -> Option<usize> {
        let several = leafs.iter().filter(|leaf| self.rails_under_leaf(**leaf).len() > 1);
        let nodes = several.filter_map(|leaf| self.hosts.get(leaf));
        nodes
            .flat_map(|nodes| {
                nodes.chunk_by(|(a, _), (b, _)| order_under_leaf(*a).0 == order_under_leaf(*b).0)
            })
            .map(<[(FabricNode, bool)]>::len)
            .max()
    }

    /// Rails of the NICs under a leaf, ascending.
    fn rails_under_leaf(&self, leaf: usize) -> Vec<u32> {
        let nodes = self.hosts.get(&leaf).into_iter().flatten();
        let mut rails: Vec<u32> = nodes
            .filter_map(|(node, _)| match node {
                FabricNode::Endpoint { rail, .. } => Some(*rail),
                _ => None,
            })
            .collect();
        rails.dedup();
        rails
    }
}

/// The first plane in which something of a switch failed.
fn failed_plane(graph: &FabricGraph, broken: &OutOfService) -> Option<u32> {
    let plane = |node: usize| match graph.node(node) {
        Some(FabricNode::Switch { plane, .. }) => Some(plane),
        _ => None,
    };
    let dead = (0..graph.nodes().count()).filter(|node| broken.is_dead(*node)).filter_map(plane);
    let torn = graph.cables().enumerate().filter_map(|(number, ends)| {
        let torn = broken.links_left(number, ends.0, ends.1, ends.2) < ends.2.links;
        plane(ends.1).filter(|_| torn && !broken.is_dead(ends.0))
    });
    dead.chain(torn).min()
}

/// Order of a node under its leaf: by rail, then by domain, other hosts last.
fn order_under_leaf(node: FabricNode) -> (u32, u32) {
    match node {
        FabricNode::Endpoint { domain, rail } => (rail, domain),
        FabricNode::Host { index } => (u32::MAX, index),
        FabricNode::Switch { .. } => (u32::MAX, u32::MAX),
    }
}

/// Draws the plane.
pub(super) fn draw_plane(canvas: &mut Canvas, counts: &Counts, plane: &Plane<'_>) {
    let mut places: BTreeMap<usize, Area> = BTreeMap::new();
    let depth = plane.layers.len();
    for (level, (_, switches)) in plane.layers.iter().enumerate() {
        let y = TOP + (depth - 1 - level) as f64 * (SWITCH_HEIGHT + BETWEEN);
        places.extend(place_switch_row(switches, y));
    }
    draw_cables(canvas, plane, &places);
    for (tier, switches) in &plane.layers {
        let y = places[&switches[0]].y;
        draw_layer_names(canvas, counts, *tier, switches.len(), y);
        let below: u32 = plane
            .cables
            .iter()
            .filter(|(_, high, _)| switches.contains(high))
            .map(|(.., [links, _])| links)
            .sum();
        if below > 0 {
            let rate = number::link_rate(counts.uplink);
            draw_link_count(canvas, below.into(), &rate, y + SWITCH_HEIGHT + BETWEEN / 2.0);
        }
        for switch in switches {
            box_of(canvas, plane, *switch, places[switch]);
        }
    }
    draw_leaf_nics(canvas, counts, plane, &places);
    draw_plane_legend(canvas, counts, plane);
}

/// Switches of one layer, evenly over the width.
fn place_switch_row(switches: &[usize], y: f64) -> Vec<(usize, Area)> {
    let slot = (RIGHT - LEFT) / switches.len() as f64;
    let width = (slot * 0.86).min(130.0);
    let place = |(k, switch): (usize, &usize)| {
        let x = LEFT + slot * (k as f64 + 0.5) - width / 2.0;
        (*switch, Area { x, y, width, height: SWITCH_HEIGHT })
    };
    switches.iter().enumerate().map(place).collect()
}

fn draw_cables(canvas: &mut Canvas, plane: &Plane<'_>, places: &BTreeMap<usize, Area>) {
    // A mesh of many cables is to be seen as one grey surface, few of them one by one.
    let opacity = (120.0 / plane.cables.len().max(1) as f64).clamp(0.12, 0.7);
    for (low, high, [links, left]) in &plane.cables {
        let (Some(from), Some(to)) = (places.get(low), places.get(high)) else { continue };
        let colour = rail_tint(&plane.rails_under_leaf(*low));
        let width = 0.8 + 0.4 * f64::from(*links).log2();
        let stroke = if left < links {
            let opacity = if *left == 0 { 0.9 } else { 0.5 };
            Stroke { tint: FAILED, width: width.clamp(1.8, 4.0), opacity }
        } else {
            Stroke { tint: colour, width: width.min(4.0), opacity }
        };
        canvas.add_line((from.centre_x(), from.y), (to.centre_x(), to.bottom_y()), stroke);
    }
}

fn box_of(canvas: &mut Canvas, plane: &Plane<'_>, switch: usize, place: Area) {
    let name = plane.graph.node(switch).map(FabricNode::name).unwrap_or_default();
    canvas.add_panel(place, rail_tint(&plane.rails_under_leaf(switch)), PAPER, &name);
    if place.width >= ROOM_FOR_NAME {
        canvas.add_label((place.centre_x(), place.y + 16.0), CanvasAnchor::Middle, &name, PAPER);
    }
    if plane.broken.is_some_and(|broken| broken.is_dead(switch)) {
        canvas.add_cross(place);
    }
}

/// What stands on the left of a layer: how many, of which model, and the links above it.
fn draw_layer_names(canvas: &mut Canvas, counts: &Counts, tier: TierName, here: usize, y: f64) {
    let alike = |switch_tier: &&crate::fabric::SwitchTier| switch_tier.name == tier;
    let noun = tier.name();
    let plural = format!("{noun}s");
    canvas.add_text(
        (30.0, y + 10.0),
        CanvasAnchor::Start,
        &number::count_with_noun(here as u64, noun, &plural),
    );
    for (k, tier) in counts.tiers.iter().filter(alike).enumerate() {
        let ports = match tier.up {
            0 => format!("{} ports", tier.down),
            up => format!("{} down, {up} up", tier.down),
        };
        let model = if tier.model.is_empty() { "" } else { &tier.model };
        let text = format!("{model} {ports}");
        canvas.add_note((30.0, y + 10.0 + LINE * (k + 1) as f64), CanvasAnchor::Start, text.trim());
    }
}

fn draw_link_count(canvas: &mut Canvas, count: u64, rate: &str, y: f64) {
    let text = format!("{} at {rate}", number::count_with_noun(count, "link", "links"));
    canvas.add_note((30.0, y), CanvasAnchor::Start, &text);
}

/// The NICs under each leaf, as squares in the colour of their rail.
fn draw_leaf_nics(
    canvas: &mut Canvas,
    counts: &Counts,
    plane: &Plane<'_>,
    places: &BTreeMap<usize, Area>,
) {
    let Some((_, leafs)) = plane.layers.first() else { return };
    let most = plane.hosts.values().map(Vec::len).max().unwrap_or(0);
    let slot = (RIGHT - LEFT) / leafs.len() as f64;
    let (cell, columns) = fit_squares(most, plane.longest_rail_run(leafs), slot * 0.9);
    let top = places[&leafs[0]].bottom_y() + 26.0;
    canvas.add_text((30.0, top + 12.0), CanvasAnchor::Start, "NICs, one square each");
    draw_link_count(canvas, counts.host_links, &number::link_rate(counts.link), top + 12.0 + LINE);
    for leaf in leafs {
        let nodes = plane.hosts.get(leaf).map_or(&[][..], Vec::as_slice);
        let place = places[leaf];
        let width = cell * columns.min(nodes.len().max(1)) as f64;
        let left = place.centre_x() - width / 2.0;
        let rows = nodes.len().div_ceil(columns);
        let under = Area { x: left, y: top, width, height: cell * rows as f64 };
        canvas.add_band(place, under, rail_tint(&plane.rails_under_leaf(*leaf)));
        for (k, (node, cut_off)) in nodes.iter().enumerate() {
            let gap = if cell > 6.0 { 1.5 } else { 0.6 };
            let area = Area {
                x: left + cell * (k % columns) as f64,
                y: top + cell * (k / columns) as f64,
                width: cell - gap,
                height: cell - gap,
            };
            match node {
                FabricNode::Endpoint { domain, rail: number } => {
                    canvas.add_cell(area, tint_for_rail(*number));
                    if *domain == 0 {
                        canvas.add_outline(area, INK);
                    }
                }
                _ => canvas.add_panel(area, PANEL, FRAME, &node.name()),
            }
            if *cut_off {
                canvas.add_cross(area);
            }
        }
    }
    draw_rail_brackets(
        canvas,
        plane,
        leafs,
        places,
        top + cell * most.div_ceil(columns) as f64 + 10.0,
    );
}

/// Side of a square and squares in a row, so that `count` of them fit the block under a leaf; a
/// row holds the whole `run` of a rail where there is room for it.
fn fit_squares(count: usize, run: Option<usize>, width: f64) -> (f64, usize) {
    const LARGEST: usize = 28; // half pixels
    const LEGIBLE: usize = 12;
    const SMALLEST: usize = 5;
    let fit = |half: usize| {
        let cell = half as f64 / 2.0;
        (cell, (width / cell).floor().max(1.0) as usize)
    };
    for half in (SMALLEST..=LARGEST).rev() {
        let (cell, columns) = fit(half);
        let whole = run.filter(|run| *run <= columns);
        if run.is_some() && whole.is_none() && half > LEGIBLE {
            continue;
        }
        let columns = whole.unwrap_or(columns);
        if count.div_ceil(columns) as f64 * cell <= BLOCK {
            return (cell, columns);
        }
    }
    fit(SMALLEST)
}

/// Which rails neighbouring leafs serve.
fn draw_rail_brackets(
    canvas: &mut Canvas,
    plane: &Plane<'_>,
    leafs: &[usize],
    places: &BTreeMap<usize, Area>,
    y: f64,
) {
    let alike = |a: &usize, b: &usize| plane.rails_under_leaf(*a) == plane.rails_under_leaf(*b);
    for group in leafs.chunk_by(alike) {
        let (first, last) = (places[&group[0]], places[&group[group.len() - 1]]);
        let rails = plane.rails_under_leaf(group[0]);
        let text = match &rails[..] {
            [] => continue,
            [only] => format!("rail {only}"),
            [first, .., last] => format!("rails {first} to {last}"),
        };
        let colour = rail_tint(&rails);
        let stroke = Stroke { tint: colour, width: 2.0, opacity: 1.0 };
        canvas.add_line((first.x, y), (last.right_x(), y), stroke);
        let middle = (first.x + last.right_x()) / 2.0;
        canvas.add_label((middle, y + 16.0), CanvasAnchor::Middle, &text, colour);
    }
}

fn draw_plane_legend(canvas: &mut Canvas, counts: &Counts, plane: &Plane<'_>) {
    let y = canvas.drawn_bottom() + 34.0;
    let square = Area { x: LEFT, y: y - 11.0, width: 12.0, height: 12.0 };
    canvas.add_cell(square, tint_for_rail(0));
    canvas.add_outline(square, INK);
    let mut text =
        "outlined: the NICs of HB domain 0, one on each rail; colours are rails".to_owned();
    if counts.planes > 1 {
        text = format!("{text}; plane {} of {} is drawn", plane.number + 1, counts.planes);
    }
    if plane.broken.is_some() {
        text.push_str("; crossed and red: failed, or cut off from its leaf");
    }
    canvas.add_note((LEFT + 20.0, y), CanvasAnchor::Start, &text);
}
