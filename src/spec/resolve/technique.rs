//! `[technique]`: which techniques are on, with their settings. Whether they apply to the layout is
//! [`super::rules`]' business, with the layout's own rules.

use super::context::Context;
use crate::workload::Techniques;

pub(super) fn techniques(context: &Context<'_>) -> Option<Techniques> {
    let all = context.section("technique");
    Techniques::read(|technique| all.sub_table(technique.key()))
}
