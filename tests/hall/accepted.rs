//! What NetBox accepted of the files of 1,024 GPUs, recorded by `tests/netbox/accept.py`: the files that are
//! written now have the columns and choices of that run.

use std::collections::BTreeSet;
use std::fs;

use crate::support::program::{fresh_folder, planner_in};

const RECORDING: &str = include_str!("../netbox/accepted.txt");

#[test]
fn netbox_accepted_files_of_these_columns_and_choices() {
    assert!(RECORDING.starts_with("NetBox "), "a run names what it ran on");
    let folder = fresh_folder("netbox");
    fs::write(folder.join("spec.toml"), crate::hall::cables::SPEC).expect("a spec");
    fs::create_dir(folder.join("files")).expect("a folder");
    let ran = planner_in(&folder, &["cables", "spec.toml", "--format", "netbox", "-o", "files"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    for name in ["1-sites", "2-manufacturers", "3-device-roles", "5-racks", "6-devices", "7-cables"]
    {
        let text = fs::read_to_string(folder.join(format!("files/{name}.csv"))).expect("a file");
        let (head, rows) = text.split_once('\n').expect("a head");
        assert!(rows.lines().count() > 0, "{name} has no rows");
        // How many rows that run had follows from the design of its day.
        let start = format!("{name}.csv: ");
        let (_, after) = RECORDING.split_once(&start).expect("the run had that file");
        let mut lines = after.lines();
        assert!(lines.next().is_some_and(|line| line.ends_with(" rows accepted")), "{name}");
        let columns = format!("  columns {head}");
        assert_eq!(lines.next(), Some(columns.as_str()), "{name} was accepted with other columns");
    }
    let cables = fs::read_to_string(folder.join("files/7-cables.csv")).expect("a file");
    let head: Vec<&str> = cables.lines().next().expect("a head").split(',').collect();
    for column in ["side_a_type", "type", "status", "color", "length_unit"] {
        let place = head.iter().position(|word| *word == column).expect("it is there");
        let used: BTreeSet<&str> =
            cables.lines().skip(1).filter_map(|line| line.split(',').nth(place)).collect();
        let known = RECORDING
            .lines()
            .find_map(|line| line.strip_prefix(&format!("cables.{column}: ")))
            .expect("the run says which choices there were");
        let known: BTreeSet<&str> = known.split(' ').collect();
        let new: Vec<&&str> =
            used.iter().filter(|word| !word.is_empty() && !known.contains(*word)).collect();
        assert!(new.is_empty(), "NetBox was not asked about {column} {new:?}");
    }
}
