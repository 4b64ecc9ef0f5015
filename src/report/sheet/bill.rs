//! The bill of a design, and what electricity is reckoned with.

use crate::design::{InstalledPlan, Plan};
use crate::hardware::Price;
use crate::scenario::Objective;

/// The bill of a design.
#[derive(Clone, Copy, Debug)]
pub struct BillSheet<'a> {
    /// The design.
    pub plan: &'a Plan,
    /// Years of operation, their value, and power from the wall over that of the machines.
    pub objective: &'a Objective,
    /// The design in its hall; `None` where the spec has none, or the bill has not its cables.
    pub installed: Option<&'a InstalledPlan>,
    /// Price of a kWh; `None` where the book has none.
    pub kilowatt_hour: Option<&'a Price>,
}
