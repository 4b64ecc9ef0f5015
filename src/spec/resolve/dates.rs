//! Dates of prices and rates against the month that is planned in. No clock is read.

use std::sync::LazyLock;

use super::context::Context;
use crate::hardware::Month;
use crate::spec::book::Dated;
use crate::spec::document::{SpecTable, SpecValue};
use crate::spec::library::Library;
use crate::spec::problem::{Problem, ProblemKind};

/// Months after the newest price that ships in which a date needs no `as_of` beside it: whoever plans
/// later says when.
const AHEAD: u32 = 60;

/// Refuses what is dated after the month that is planned in, and that month where it is before prices
/// that ship and are in force, given with their dates.
pub(super) fn check_dates<'d>(
    context: &mut Context<'_>,
    as_of: Option<Month>,
    own: &[Dated],
    shipped: impl Iterator<Item = (String, &'d str)>,
) {
    for dated_price in own {
        let Some(month) = Month::parse_earliest(&dated_price.date) else { continue };
        let (message, hint) = match (as_of, *NEWEST) {
            (Some(as_of), _) if month > as_of => (
                format!(
                    "{} is of {}, after {as_of}, the month that is planned in",
                    dated_price.subject, dated_price.date
                ),
                format!("correct the date, or plan in {month} or later: `pricing.as_of`"),
            ),
            (None, Some(newest)) if month > newest.add_months(AHEAD) => (
                format!(
                    "{} is of {}, years after every price that ships",
                    dated_price.subject, dated_price.date
                ),
                format!(
                    "correct the date, or say when that is planned in: `as_of = \"{month}\"` in [pricing]"
                ),
            ),
            _ => continue,
        };
        let kind = ProblemKind::Contradiction { message, hint };
        let problem = Problem { key: dated_price.key.clone(), kind, place: dated_price.place };
        // A date of a whole book is told once.
        if !context.problems.contains(&problem) {
            context.problems.push(problem);
        }
    }
    let Some(as_of) = as_of else { return };
    let dated = shipped.filter_map(|(text, date)| Some((Month::parse_earliest(date)?, text)));
    let Some((last, text)) = dated.max().filter(|(last, _)| *last > as_of) else { return };
    let pricing = context.section_reader("pricing");
    let message =
        format!("{as_of} is before prices of the book, such as that of `{text}` ({last})");
    let hint = format!(
        "plan in {last} or later, name an older book in `cluster.prices`, or leave `as_of` out"
    );
    context.report_contradiction(&pricing, "as_of", message, hint);
}

/// The newest date of any price that ships.
static NEWEST: LazyLock<Option<Month>> = LazyLock::new(|| {
    let books = Library::get_shipped().books.values();
    let prices = books.filter_map(|book| match &book.get("price")?.value {
        SpecValue::List(prices) => Some(prices),
        _ => None,
    });
    let tables = prices.flatten().filter_map(|item| item.value.as_table());
    tables.filter_map(|price| Month::parse_earliest(text_entry(price, "date")?)).max()
});

fn text_entry<'t>(table: &'t SpecTable, key: &str) -> Option<&'t str> {
    match &table.get(key)?.value {
        SpecValue::Text(text) => Some(text),
        _ => None,
    }
}

/// What is wrong with an offer that ends at a date and was made at another; nothing where one of them is
/// not known that exactly.
pub(super) fn offer_dates_problem(valid_until: &str, date: &str) -> Option<ProblemKind> {
    // Dates are written from the year on, so the first of two is the less of what both state.
    let both = valid_until.len().min(date.len());
    let (end, made) = (valid_until.get(..both)?, date.get(..both)?);
    let known = Month::parse_latest(valid_until).is_some() && Month::parse_latest(date).is_some();
    (known && end < made).then(|| ProblemKind::Contradiction {
        message: format!("the offer ended in {valid_until}, before it was made ({date})"),
        hint: "correct `valid_until` or `date`".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{NEWEST, offer_dates_problem};

    #[test]
    fn an_offer_ends_after_it_is_made() {
        let wrong = |end, made| offer_dates_problem(end, made).is_some();
        assert!(wrong("2026-09-01", "2026-09-15") && wrong("2025", "2026-01-01"));
        assert!(wrong("2026-08", "2026-09-15"));
        for (end, made) in [
            ("2026-09", "2026-09-15"),
            ("2026", "2026-09-15"),
            ("2026-09-15", "2026-09"),
            ("2026-09-15", "2026-09-15"),
            ("2026-01", "undated"),
        ] {
            assert!(!wrong(end, made), "{end} {made}");
        }
    }

    #[test]
    fn something_that_ships_has_a_date() {
        assert!(NEWEST.is_some());
    }
}
