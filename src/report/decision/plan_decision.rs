//! What a plan comes to, as data.

use super::decide::{Decide, list_decisions};
use super::verdict::{Reference, Verdict};
use crate::cost::{BillLine, Role};
use crate::design::{Plan, StatedLimit};
use crate::hardware::{Included, PriceBasis, PriceLevel, Quote};
use crate::units::Usd;

/// What a plan comes to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Decision<'a> {
    pub(in crate::report) plan: &'a Plan,
    /// What it is held against; `None` where no full-bisection Clos was compared.
    pub(in crate::report) reference: Option<Reference>,
    pub(in crate::report) verdict: Verdict,
    /// What a cluster takes and the price lacks.
    pub(in crate::report) not_counted: Vec<String>,
    /// Part of the price by what kind of statement it rests on, the largest first.
    pub(in crate::report) basis_shares: Vec<(PriceBasis, f64)>,
    /// What costs most; `None` where nothing is bought at a price.
    pub(in crate::report) largest_line: Option<&'a BillLine>,
    pub(in crate::report) limits: &'a [StatedLimit],
    /// What somebody has to decide, that of the most money first.
    pub(in crate::report) decide: Vec<Decide>,
}

impl<'a> Decision<'a> {
    /// The decision of a plan.
    pub(in crate::report) fn from_plan(plan: &'a Plan) -> Self {
        let reference = Reference::from_plan(plan);
        let priced = || plan.bill.iter().filter(|line| line.total > Usd::ZERO);
        Self {
            plan,
            verdict: Verdict::from_reference(plan, reference.as_ref()),
            reference,
            not_counted: uncounted_items(plan),
            basis_shares: basis_shares(plan),
            largest_line: priced().max_by(|one, other| one.total.total_cmp(&other.total)),
            limits: &plan.limits,
            decide: list_decisions(plan),
        }
    }

    /// Part of the price that rests on one kind of statement.
    pub(in crate::report) fn share_of_basis(&self, basis: PriceBasis) -> f64 {
        let mut shares = self.basis_shares.iter();
        shares.find(|(known, _)| *known == basis).map_or(0.0, |(_, share)| *share)
    }
}

/// What a cluster takes and no line of its bill has.
fn uncounted_items(plan: &Plan) -> Vec<String> {
    let quote = |line: &BillLine| line.unit.as_ref().map(|price| price.quote.clone());
    let machines: Vec<Quote> =
        plan.bill.iter().filter(|line| line.role == Role::Node).filter_map(quote).collect();
    let all = |read: &dyn Fn(&Quote) -> bool| !machines.is_empty() && machines.iter().all(read);
    let level =
        |levels: &[PriceLevel]| all(&|quote| quote.level.is_some_and(|it| levels.contains(&it)));
    let includes = |part: Included| all(&|quote| quote.includes.contains(&part));
    let has_role = |role: Role| plan.bill.iter().any(|line| line.role == role);
    let installs = |role: Role| plan.installation.iter().any(|line| line.role == role);
    let whole = level(&[PriceLevel::AllIn]);
    let unpriced = plan.cost.unpriced.iter().map(|part| format!("the price of {part}"));
    let rest = [
        (has_role(Role::Optic) && !has_role(Role::Cable) && !installs(Role::Cable), "cables"),
        (!installs(Role::Labour) && !includes(Included::Installation), "labour"),
        (!whole && !level(&[PriceLevel::Rack]) && !includes(Included::Rack), "racks"),
        (!whole && plan.networks.is_none(), "storage and management networks"),
        (!level(&[PriceLevel::Loaded]), "support"),
        (true, "building"),
    ];
    let rest = rest.into_iter().filter(|(lacks, _)| *lacks).map(|(_, name)| name.to_owned());
    unpriced.chain(rest).collect()
}

/// Part of what is paid by the kind of its price.
fn basis_shares(plan: &Plan) -> Vec<(PriceBasis, f64)> {
    let paid = |basis: PriceBasis| -> Usd {
        let of_basis =
            |line: &&BillLine| line.unit.as_ref().is_some_and(|price| price.basis == basis);
        plan.bill.iter().filter(of_basis).map(|line| line.total).sum()
    };
    let share = |basis: &PriceBasis| (*basis, paid(*basis) / plan.cost.capex);
    let shares = PriceBasis::ALL.iter().map(share);
    let mut shares: Vec<_> = shares.filter(|(_, share)| *share > 0.0).collect();
    shares.sort_by(|one, other| other.1.total_cmp(&one.1));
    shares
}
