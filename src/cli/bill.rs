//! `planner bill`: what is bought, in full.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::watch::DesignWatch;
use super::{fewer, input, output};
use crate::cost::electricity_price;
use crate::design::{design_with_house_rule, installed, question_of_plan};
use crate::report::workbook::workbook_bytes;
use crate::report::{self, BillSheet};
use crate::sizing;

/// The bill as text; nothing where it went to a file or a pipe as a workbook.
pub(super) fn run_bill(args: &SpecArgs, options: &Options) -> Result<Option<String>, Failure> {
    let scenario = input::load_scenario(&args.spec, options)?;
    let watching = DesignWatch::with_progress_line(options);
    let solver = sizing::Options { watch: watching.handle(), ..options.solver_options() };
    let plan = design_with_house_rule(&scenario, &solver);
    watching.end_watch(options);
    let plan = plan.map_err(|reason| {
        fewer::infeasible_with_size_hint(reason, &scenario, &args.spec, options)
    })?;
    let kilowatt_hour = electricity_price(&scenario.prices);
    let in_hall =
        plan.lengths.as_ref().map(|_| installed(&question_of_plan(&scenario, &plan), &plan));
    let in_hall = in_hall.transpose().map_err(|error| Failure::usage_error(error, ""))?;
    let sheet = BillSheet {
        plan: &plan,
        installed: in_hall.as_ref(),
        objective: &scenario.objective,
        kilowatt_hour: kilowatt_hour.as_ref(),
    };
    if !options.is_workbook() {
        return options.render_report(|look| report::render_bill(&sheet, look)).map(Some);
    }
    output::write_stream(options, |out| Ok(out.write_all(&workbook_bytes(&sheet)?)?))?;
    Ok(None)
}
