//! The commands `planner bill` and `planner cables`.

use anyhow::anyhow;
use clap::Args;

use crate::cli::args::{ExportFormat, Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::progress::watched_options;
use crate::cli::{input, output};
use crate::cost::electricity_price;
use crate::design::{self, InstalledPlan, design_with_default_rules, installed, question_of_plan};
use crate::report::hall::{HallSheet, hall_drawings, netbox_import_files, render_cables};
use crate::report::workbook::workbook_bytes;
use crate::report::{self, BillSheet, ClusterSheets};
use crate::scenario::Scenario;
use crate::spec::problem;

/// The bill as text; nothing where it went to a file or a pipe as a workbook.
pub(in crate::cli) fn run_bill(
    args: &SpecArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    let scenario = input::load_scenario(&args.spec, options)?;
    let plan =
        design_with_default_rules(&scenario, &watched_options(options)).map_err(|reason| {
            input::infeasible_with_size_hint(reason, &scenario, &args.spec, options)
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

/// Arguments of `planner cables`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CablesArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Only what ends in this rack: its sheet for the crew, its cables; repeats
    #[arg(long, value_name = "NAME")]
    rack: Vec<String>,
}

/// The cables as text; nothing where they went to files.
pub(in crate::cli) fn run_cables(
    args: &CablesArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let plan = design::design_with_default_rules(&scenario, &watched_options(options)).map_err(
        |reason| input::infeasible_with_size_hint(reason, &scenario, &args.spec.spec, options),
    )?;
    let scenario = design::question_of_plan(&scenario, &plan);
    let clusters = design::clusters_with_plans(&scenario, &plan);
    let placed = clusters.iter().map(|(question, plan)| installed(&question.scenario, plan));
    let placed: Vec<InstalledPlan> =
        placed.collect::<Result<_, _>>().map_err(|error| Failure::usage_error(error, ""))?;
    let known: Vec<String> = placed
        .iter()
        .flat_map(|installed_plan| &installed_plan.floor.racks)
        .map(ToString::to_string)
        .collect();
    if let Some(unknown) = args.rack.iter().find(|rack| !known.contains(rack)) {
        return Err(no_such_rack(unknown, &known));
    }
    let each = clusters.iter().zip(&placed).map(|((question, plan), installed)| {
        let switches = &question.scenario.catalogue.switches;
        (&question.name, HallSheet { plan, installed, switches, racks: &args.rack })
    });
    let drawn = options.export_format() == Some(ExportFormat::Svg);
    if drawn {
        return Ok(Some(hall_drawings(&each.map(|(_, sheet)| sheet).collect::<Vec<_>>())));
    }
    if options.is_netbox() {
        return netbox_files(each.map(|(_, sheet)| sheet).collect(), options, &scenario);
    }
    let sheets = ClusterSheets { name: &scenario.name, each: each.collect() };
    options.render_report(|look| render_cables(&sheets, look)).map(Some)
}

/// The files for NetBox, in the folder of `-o`.
fn netbox_files(
    sheets: Vec<HallSheet<'_>>,
    options: &Options,
    scenario: &Scenario,
) -> Result<Option<String>, Failure> {
    let [sheet] = sheets.as_slice() else {
        let error = anyhow!("each part or stage stands in a hall of its own");
        return Err(input::single_cluster_error(error, scenario));
    };
    let folder = output::output_folder(options, "NetBox imports several files")?;
    for (name, text) in netbox_import_files(sheet) {
        output::write_bytes(&folder.join(name), text.as_bytes())?;
    }
    Ok(None)
}

fn no_such_rack(asked: &str, known: &[String]) -> Failure {
    let error = anyhow!("the hall has no rack `{}`", problem::quote_input(asked));
    let near = problem::did_you_mean(asked, known);
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let ends = match known {
        [first, .., last] => format!("racks are {first} to {last}"),
        [only] => format!("its only rack is {only}"),
        [] => "it has none".to_owned(),
    };
    Failure::usage_error(error, format!("{near}{ends}"))
}
