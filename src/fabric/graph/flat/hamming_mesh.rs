//! HammingMesh (Hoefler et al., SC 2022): boards of endpoints joined to their neighbours, the
//! lines through all boards of a row or column on networks of their own.

use super::super::wiring::Wiring;
use crate::fabric::{FabricProblem, HammingMesh, Medium};

/// Endpoints are numbered row by row over all boards. A line has two ports on each board: those
/// of its endpoints on the borders.
pub(super) fn wire(wiring: &mut Wiring, of: &HammingMesh) -> Result<(), FabricProblem> {
    let [width, height] = [of.board.0, of.board.1].map(u64::from);
    let [columns, rows] = [of.boards.0, of.boards.1].map(u64::from);
    let at = |x: u64, y: u64| y * columns * width + x;
    for y in 0..rows * height {
        for x in 0..columns * width {
            if (x + 1) % width != 0 {
                wiring.direct(at(x, y), at(x + 1, y), Medium::Copper);
            }
            if (y + 1) % height != 0 {
                wiring.direct(at(x, y), at(x, y + 1), Medium::Copper);
            }
        }
    }
    // Where along a line of boards of a length its port of that number is.
    let border = |port: u64, length: u64| port / 2 * length + port % 2 * (length - 1);
    let lines = rows * height;
    let along = of.line(lines, 2 * columns);
    let nic = |order: u64| at(border(order / lines, width), order % lines);
    wiring.tree(&along, of.radix, &nic, &[])?;
    let lines = columns * width;
    let upright = of.line(lines, 2 * rows);
    let nic = |order: u64| at(order % lines, border(order / lines, height));
    wiring.tree(&upright, of.radix, &nic, &[])
}
