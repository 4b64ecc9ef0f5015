//! `planner bill`: what is bought, in full.

use super::args::{Options, SpecArgs};
use super::failure::Failure;
use super::{fewer, input, output};
use crate::cost::electricity;
use crate::design::decided;
use crate::report::workbook::workbook;
use crate::report::{self, BillSheet};

/// The bill as text; nothing where it went to a file or a pipe as a workbook.
pub(super) fn run(args: &SpecArgs, options: &Options) -> Result<Option<String>, Failure> {
    let scenario = input::scenario(&args.spec, options)?;
    let plan = decided(&scenario, &options.solver())
        .map_err(|reason| fewer::told(reason, &scenario, &args.spec, options))?;
    let kilowatt_hour = electricity(&scenario.prices);
    let sheet = BillSheet {
        plan: &plan,
        objective: &scenario.objective,
        kilowatt_hour: kilowatt_hour.as_ref(),
    };
    if !options.is_workbook() {
        return options.report(|look| report::purchase(&sheet, look)).map(Some);
    }
    output::streamed(options, |out| Ok(out.write_all(&workbook(&sheet)?)?))?;
    Ok(None)
}
