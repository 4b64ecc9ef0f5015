//! `[technique]`: which techniques are on, with their settings. Whether they apply to the layout is
//! [`super::rules`]' business, with the layout's own rules.

use super::context::Context;
use crate::workload::Techniques;

pub(super) fn resolve_techniques(context: &Context<'_>) -> Option<Techniques> {
    let all = context.section_reader("technique");
    Techniques::read(|technique| all.sub_table(technique.key()))
}
