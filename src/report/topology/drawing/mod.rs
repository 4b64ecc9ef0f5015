//! A fabric as a picture: every switch and NIC while a person can still tell them apart, alike
//! ones folded together above that. It only draws; what it draws was counted and wired elsewhere.

mod canvas;
mod detailed;
pub(in crate::report) mod hall;
mod overview;

use crate::fabric::{Counts, FabricGraph, Failure};
use crate::report::number;
use canvas::{Canvas, CanvasAnchor, LEFT};

/// Most leafs of one plane that stand side by side and can still be told apart.
const MOST_LEAFS: usize = 80;
/// Most NICs of which each has a square of its own.
const MOST_ENDPOINTS: u64 = 2304;

/// An SVG picture of a fabric, ending in a line feed: a whole document that can also stand inside
/// a page (no script, no identifiers). It is light, and dark where the reader wants pages dark.
///
/// With a graph of up to about 2,000 NICs it shows each switch, cable and NIC of the first plane;
/// without one, or above that, how many of each and how they are joined. The same fabric gives the
/// same bytes. Failures that the graph has no part for are only named.
#[must_use]
pub fn draw_fabric(
    name: &str,
    counts: &Counts,
    graph: Option<&FabricGraph>,
    failures: &[Failure],
) -> String {
    let mut canvas = Canvas::new();
    let broken = graph
        .filter(|_| !failures.is_empty())
        .and_then(|graph| graph.parts_out_of_service(failures).ok());
    let shown = graph
        .filter(|_| counts.endpoints <= MOST_ENDPOINTS && counts.kind.is_tree())
        .map(|graph| detailed::Plane::plane_to_draw(graph, broken.as_ref()))
        .filter(|plane| (1..=MOST_LEAFS).contains(&plane.leaf_count()));
    canvas.add_title(name, &fabric_headline(counts));
    match shown {
        Some(plane) => detailed::draw_plane(&mut canvas, counts, &plane),
        None => overview::draw_overview(&mut canvas, counts),
    }
    if !failures.is_empty() {
        let named: Vec<String> =
            failures.iter().take(MOST_NAMED).map(ToString::to_string).collect();
        let more = match failures.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let y = canvas.drawn_bottom() + 24.0;
        let text = format!("failed: {}{more}", named.join(", "));
        canvas.add_label((LEFT, y), CanvasAnchor::Start, &text, canvas::FAILED);
    }
    canvas.finish_svg()
}

/// Most failures that are named below a drawing.
const MOST_NAMED: usize = 8;

/// The fabric in one sentence.
fn fabric_headline(counts: &Counts) -> String {
    let planes = match counts.planes {
        0 | 1 => String::new(),
        planes => format!(" in {planes} planes"),
    };
    format!(
        "{}{planes}: {}, {}, {}",
        counts.kind,
        number::count_with_noun(counts.endpoints, "NIC", "NICs"),
        number::count_with_noun(counts.switch_count(), "switch", "switches"),
        number::count_with_noun(counts.link_count(), "link", "links"),
    )
}

#[cfg(test)]
mod tests {
    use super::draw_fabric;
    use crate::fabric::{
        FabricGraph, FabricKind, Failure, Request, SwitchChoice, fabric_counts, tree_counts,
    };
    use crate::units::Bandwidth;

    fn request(kind: FabricKind, endpoints: u64, radix: u32) -> Request<'static> {
        let link = Bandwidth::from_gigabits(400.0);
        Request::new(kind, endpoints, 8, SwitchChoice::Radix(radix), link)
    }

    /// What a reader of XML would refuse.
    #[track_caller]
    fn whole(svg: &str) {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        for tag in ["text", "title", "svg"] {
            let opened =
                svg.matches(&format!("<{tag}>")).count() + svg.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "a coordinate is not finite");
    }

    #[test]
    fn a_thousand_nics_have_a_square_each_and_every_switch_its_name() {
        for kind in [FabricKind::RailOnly, FabricKind::RailOptimized, FabricKind::Clos] {
            let request = request(kind, 1024, 64);
            let graph = FabricGraph::new(&request).expect("1,024 NICs can be wired");
            let counts = tree_counts(&request).expect("it was wired");
            let svg = draw_fabric("a & b", &counts, Some(&graph), &[]);
            whole(&svg);
            // One more in the legend, and one behind everything.
            let squares = svg.lines().filter(|line| {
                line.starts_with("<rect") && line.contains(" fill=\"#") && !line.contains("rx=")
            });
            assert_eq!(squares.count(), 1024 + 2, "{kind}");
            for leaf in 0..counts.switch_count() / 2 {
                assert!(svg.contains(&format!("<title>leaf-{leaf}</title>")), "{kind} {leaf}");
            }
            assert!(svg.contains("a &amp; b"));
            assert_eq!(svg, draw_fabric("a & b", &counts, Some(&graph), &[]));
        }
    }

    #[test]
    fn what_failed_is_crossed_out_and_named_in_its_plane() {
        let request = request(FabricKind::RailOnly, 256, 32).split_into_planes(2);
        let graph = FabricGraph::new(&request).expect("two planes");
        let counts = tree_counts(&request).expect("it was wired");
        let failures: Vec<Failure> = ["switch:leaf-1", "gpu:3.2"]
            .iter()
            .map(|text| Failure::parse(text).expect("readable"))
            .collect();
        let whole_one = draw_fabric("a", &counts, Some(&graph), &[]);
        let struck = draw_fabric("a", &counts, Some(&graph), &failures);
        whole(&struck);
        let red = |svg: &str| svg.matches("fabric-failed-s\"").count();
        assert_eq!(red(&whole_one), 0);
        let leaf = graph
            .cables()
            .filter(|(_, high, _)| graph.node(*high).is_some_and(|node| node.name() == "leaf-1"));
        // Two strokes and a border for the switch, for each of its NICs and for the GPU, which may
        // be one of those.
        let nics = leaf.count();
        assert!([3 * (1 + nics), 3 * (2 + nics)].contains(&red(&struck)), "{}", red(&struck));
        assert!(struck.contains("failed: switch:leaf-1, gpu:3.2"));
        assert!(whole_one.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn large_fabrics_are_folded_and_every_family_is_drawn() {
        let large =
            tree_counts(&request(FabricKind::RailOnly, 131_072, 64)).expect("two tiers a rail");
        let svg = draw_fabric("large", &large, None, &[]);
        whole(&svg);
        assert!(svg.len() < 30_000, "{} bytes", svg.len());
        for kind in FabricKind::ALL {
            if let Ok(counts) = fabric_counts(&request(kind, 1024, 64)) {
                whole(&draw_fabric(kind.name(), &counts, None, &[]));
            }
        }
    }
}
