//! ZCube (Yan et al., SIGCOMM 2025): two rows of switches, every one of the one row joined to
//! every one of the other; a NIC has a port on one of each.

use super::super::wiring::Wiring;
use super::place::switches;
use crate::fabric::{LinkClass, Medium, ZCube};

/// The NIC of number e stands on switch ⌊e / n⌋ of the first row and e mod n of the second.
pub(super) fn wire(wiring: &mut Wiring, of: &ZCube) {
    let side = of.side();
    let first = switches(wiring, side);
    let second = switches(wiring, side);
    for order in 0..of.endpoints {
        wiring.host(order, first[(order / side) as usize]);
        wiring.host(order, second[(order % side) as usize]);
    }
    for low in &first {
        for high in &second {
            wiring.join(*low, *high, 1, LinkClass::Local, Medium::Copper);
        }
    }
}
