//! HammingMesh (Hoefler et al., SC 2022): boards that are small meshes; the lines of endpoints
//! through all boards of a row or a column end on switches.

use super::family::{Cabling, NonTreeFamily, ceil_root, check_capacity, sort_endpoints_by_key};
use crate::fabric::{
    Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request, SwitchChoice,
    tree_counts,
};
use crate::units::Bandwidth;

/// One plane of a HammingMesh: an endpoint has four ports, to its neighbours in a row and a
/// column or, on the border of a board, to the switches of its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HammingMesh {
    /// Endpoints of a board: in a row, in a column.
    pub board: [u32; 2],
    /// Boards: in a row, in a column.
    pub boards: [u32; 2],
    pub radix: u32,
    /// Rate of every link.
    pub link: Bandwidth,
}

impl HammingMesh {
    /// Switches and links. A line through x boards has 2x ports on a network of its own, one
    /// switch or a non-blocking tree; short lines share switches, as rails do. Links on a board
    /// are copper.
    ///
    /// # Errors
    /// A side of zero, or lines too long for four tiers of switches.
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        let ([width, height], [columns, rows]) = (self.board, self.boards);
        let sides = [width, height, columns, rows];
        if sides.contains(&0) {
            return Err(FabricProblem::NoEndpoints);
        }
        if sides.into_iter().any(|side| side > LONGEST_SIDE) {
            return Err(FabricProblem::NoSuchSize { reason: "the mesh has too many NICs" });
        }
        let [width, height, columns, rows] = sides.map(u64::from);
        let mut counts = tree_counts(&self.line_network_request(rows * height, 2 * columns))?;
        let upright = tree_counts(&self.line_network_request(columns * width, 2 * rows))?;
        counts.tiers.extend(upright.tiers);
        counts.tiers.sort_by_key(|tier| tier.name);
        counts.host_links += upright.host_links;
        counts.leaf_spine_links += upright.leaf_spine_links;
        counts.spine_core_links += upright.spine_core_links;
        counts.other_links.extend(upright.other_links);
        let on_board = height * (width - 1) + width * (height - 1);
        counts.other_links.push(LinkGroup {
            class: LinkClass::Direct,
            count: rows * columns * on_board,
            rate: self.link,
            medium: Medium::Copper,
        });
        counts.other_links.retain(|group| group.count > 0);
        let endpoints = rows * columns * width * height;
        let share = self.bisection_share();
        Ok(Counts {
            kind: FabricKind::HammingMesh,
            rails: 1,
            endpoints,
            within_rail: share,
            across_rails: share,
            leaf_domains: None,
            occupancy: None,
            ..counts
        })
    }

    /// What any two halves of the endpoints have between them, over the bandwidth of their four
    /// ports, at least.
    ///
    /// A cut that has all lines of α of the columns and of β of the rows on one side loses the
    /// ports of the boards that have lines on either side: 2h of a row and 2w of a column a board
    /// of w · h endpoints. With one half of the boards on that side αβ = 1/2, and for each board
    /// 2h(β − 1/2) + 2w(α − 1/2) are lost, least at β/α = w/h; or a half of the columns alone: h,
    /// or of the rows: w.
    fn bisection_share(&self) -> f64 {
        let [w, h] = self.board.map(f64::from);
        let corner = if w < 2.0 * h && h < 2.0 * w {
            2.0 * (2.0 * w * h).sqrt() - w - h
        } else {
            f64::INFINITY
        };
        corner.min(w).min(h) / (2.0 * w * h)
    }

    /// The networks of alike lines of so many ports: each is a tree of its own.
    const fn line_network_request(&self, lines: u64, ports: u64) -> Request<'static> {
        let switch = SwitchChoice::Radix(self.radix);
        let rails = lines as u32; // Below 2³², as no side is above 2¹².
        Request::new(FabricKind::RailOnly, lines * ports, rails, switch, self.link)
    }
}

/// Longest side in boards or endpoints; low enough that no count overflows.
const LONGEST_SIDE: u32 = 1 << 12;

impl NonTreeFamily for HammingMesh {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        self.closed_form_counts()
    }

    /// Endpoints are numbered row by row over all boards. A line has two ports on each board: those
    /// of its endpoints on the borders.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let [width, height] = self.board.map(u64::from);
        let [columns, rows] = self.boards.map(u64::from);
        let at = |x: u64, y: u64| y * columns * width + x;
        for y in 0..rows * height {
            for x in 0..columns * width {
                if (x + 1) % width != 0 {
                    plane.link_endpoints(at(x, y), at(x + 1, y), Medium::Copper);
                }
                if (y + 1) % height != 0 {
                    plane.link_endpoints(at(x, y), at(x, y + 1), Medium::Copper);
                }
            }
        }
        // Where along a line of boards of a length its port of that number is.
        let border = |port: u64, length: u64| port / 2 * length + port % 2 * (length - 1);
        let lines = rows * height;
        let along = self.line_network_request(lines, 2 * columns);
        let nic = |order: u64| at(border(order / lines, width), order % lines);
        plane.wire_trees(&along, self.radix, &nic)?;
        let lines = columns * width;
        let upright = self.line_network_request(lines, 2 * rows);
        let nic = |order: u64| at(order % lines, border(order / lines, height));
        plane.wire_trees(&upright, self.radix, &nic)
    }

    fn ports_per_endpoint(&self) -> u64 {
        4
    }

    /// By columns of boards, by rows, by columns and rows of endpoints, and square after square
    /// from a corner, which grows as fast as the sides of a board say.
    fn narrow_cut_orders(&self) -> Vec<Vec<usize>> {
        let [w, h] = self.board.map(u64::from);
        let [columns, rows] = self.boards.map(u64::from);
        let wide = columns * w;
        let all = wide * rows * h;
        let (x, y) = (move |order: u64| order % wide, move |order: u64| order / wide);
        vec![
            sort_endpoints_by_key(all, |order| x(order) / w),
            sort_endpoints_by_key(all, |order| y(order) / h),
            sort_endpoints_by_key(all, x),
            sort_endpoints_by_key(all, |order| (x(order) * h).max(y(order) * w)),
            sort_endpoints_by_key(all, |order| x(order) % w),
            sort_endpoints_by_key(all, |order| y(order) % h),
        ]
    }
}

/// Endpoints of a board along each side: the Hx2Mesh of its authors.
const BOARD_SIDE: u32 = 2;

/// Boards of two by two in a square. A given shape is boards in a row and in a column, or the two
/// sides of a board before those.
pub(super) fn hamming_mesh_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    let radix = request.checked_switch_radix()?;
    let (endpoints, link) = (request.endpoints, request.link);
    let (board, boards) = match request.requested_sides()? {
        None => {
            let boards = endpoints.div_ceil(u64::from(BOARD_SIDE * BOARD_SIDE));
            let columns = ceil_root(boards, 2);
            let rows = boards.div_ceil(columns);
            let side = |boards: u64| u32::try_from(boards).unwrap_or(u32::MAX);
            ([BOARD_SIDE; 2], [side(columns), side(rows)])
        }
        Some([columns, rows]) => ([BOARD_SIDE; 2], [*columns, *rows]),
        Some([width, height, columns, rows]) => ([*width, *height], [*columns, *rows]),
        Some(_) => {
            let reason = "a hamming-mesh has two sides in boards, after two of a board in NICs \
                          where those are not `2x2`: write `16x16` or `4x4x8x8`";
            return Err(FabricProblem::NoSuchSize { reason });
        }
    };
    check_capacity(endpoints, board.into_iter().chain(boards).map(u64::from))?;
    Ok(Box::new(HammingMesh { board, boards, radix, link }))
}

#[cfg(test)]
mod tests {
    use super::HammingMesh;
    use crate::units::quantity::Bandwidth;

    #[test]
    fn lines_of_a_small_hx2mesh_share_switches() {
        let link = Bandwidth::from_gigabits(400.0);
        let mesh = HammingMesh { board: [2, 2], boards: [16, 16], radix: 64, link };
        let counts = mesh.closed_form_counts().expect("1,024 endpoints");
        assert_eq!(counts.endpoints, 1024);
        // 64 lines of 32 ports, two on a switch; a link at either end of 16 boards in each.
        assert_eq!((counts.switch_count(), counts.host_links), (32, 2048));
        assert_eq!(counts.copper_links(), 256 * 4);
        // Every one of four ports of each endpoint is in use.
        assert_eq!(2 * counts.copper_links() + counts.host_links, 4 * counts.endpoints);
        assert!(HammingMesh { board: [0, 2], ..mesh }.closed_form_counts().is_err());
        assert!(HammingMesh { boards: [u32::MAX, 2], ..mesh }.closed_form_counts().is_err());
    }
}
