//! The program as it is called: arguments, streams, files, exit status.

#[path = "../support/mod.rs"]
mod support;

mod bill_command;
mod calibrate;
mod calibrate_network;
mod check_command;
mod ci_recipes;
mod cli;
mod collectives;
mod design_screen;
mod determinism;
mod domain_command;
mod exchange_rates;
mod fabric_command;
mod foreign_formats;
mod gate_question;
mod help_command;
mod help_counts;
mod interrupted;
mod price_contents;
mod search_command;
mod side_by_side;
mod sourced_files;
mod sweep_command;
mod terminal;
mod traffic_command;
mod traffic_ledger;
mod validate_command;
