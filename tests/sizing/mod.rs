//! The integer program against enumeration, laws and cases worked by hand.

mod domain_builds;
mod sizing_growth;
mod sizing_laws;
mod sizing_oracle;
mod sizing_worked_cases;
