//! A stage runs whatever message has arrived (AxoNN, arXiv 2110.13005). That is a schedule, which is
//! the layout's: see `schedule`. The step stays as it is.

use super::row::{TechniqueRow, fixed_notes};
use crate::workload::Technique;

/// Its row.
pub(super) const MESSAGE_DRIVEN_ROW: TechniqueRow =
    TechniqueRow::without_effect(Technique::MessageDriven, |_| {
        fixed_notes(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); a stage runs whatever has \
         arrived, with as many micro-batches in flight as stages, and the bubble stays that of \
         1F1B",
        ])
    });
