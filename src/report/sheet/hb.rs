//! One HB domain without any model.

use crate::cost::HbCost;
use crate::fabric::HbCounts;
use crate::units::{Bandwidth, Watts};

/// One HB domain without any model.
#[derive(Clone, Debug)]
pub struct HbSheet<'a> {
    /// The family; `None` where links and ports were given instead.
    pub family: Option<&'a str>,
    /// The domain, counted.
    pub counts: HbCounts,
    /// Chips of a tray; 0 where nobody said.
    pub tray_chips: u32,
    /// Rate of a GPU into the domain, one way, over all its links; `None` where no rate of a link is
    /// known.
    pub rate: Option<Bandwidth>,
    /// Power of the whole domain; `None` where no family says.
    pub power: Option<Watts>,
    /// What joins its GPUs costs; `None` where a part is without a price.
    pub cost: Option<HbCost>,
}
