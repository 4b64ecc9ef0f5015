//! `planner sweep` as its users and their job arrays see it: what is done in parts, or by more
//! threads, is the same to the byte.

#[allow(dead_code, reason = "nothing is fed here")]
#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use program::{Program, fresh_folder, planner_in};
use serde_json::Value;

/// A small grid with points that have no design: 16 GPUs are no product of 7.
const GRID: [&str; 6] = [
    "sweep",
    "starter",
    "--vary",
    "cluster.gpus=128,256,512",
    "--vary",
    "parallelism.tensor=1,7,8",
];

#[track_caller]
fn done(program: &Program) -> &str {
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{}", program.stdout);
    &program.stdout
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], status: i32, message: &str) {
    let program = planner_in(folder, arguments);
    assert_eq!((program.status, program.stdout.as_str()), (status, ""), "{arguments:?}");
    assert!(program.stderr.contains(message), "{arguments:?}\n{}", program.stderr);
}

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&GRID[..], more].concat()
}

#[test]
fn every_combination_is_a_row_and_what_fits_nowhere_says_why() {
    let folder = fresh_folder("sweep-rows");
    let json: Value =
        serde_json::from_str(done(&planner_in(&folder, &with(&["--format", "json"]))))
            .expect("JSON");
    let points = json["points"].as_array().expect("a list");
    assert_eq!(points.len(), 9);
    for (place, point) in points.iter().enumerate() {
        assert_eq!(point["index"], place);
        let seven = point["values"]["parallelism.tensor"] == "7";
        assert_eq!(point["impossible"].is_string(), seven, "{point}");
        assert_eq!(point["entries"].is_object(), !seven);
    }
    // A point says what a design of the same spec says.
    let design = [
        "design",
        "starter",
        "--format",
        "json",
        "--set",
        "cluster.gpus=512",
        "--set",
        "parallelism.tensor=8",
    ];
    let design: Value = serde_json::from_str(done(&planner_in(&folder, &design))).expect("JSON");
    assert_eq!(points[8]["entries"]["cost.capex_usd"], design["cost"]["capex_usd"]);
    assert_eq!(points[8]["entries"]["step.time_s"], design["step"]["time_s"]);
}

#[test]
fn the_front_is_what_nothing_beats() {
    let folder = fresh_folder("sweep-front");
    let json: Value =
        serde_json::from_str(done(&planner_in(&folder, &with(&["--format", "json"]))))
            .expect("JSON");
    let points: Vec<(f64, f64, bool)> = json["points"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|point| point["entries"].is_object())
        .map(|point| {
            let figure = |key: &str| point["entries"][key].as_f64().expect("a number");
            (figure("cost.capex_usd"), figure("step.time_s"), point["on_front"] == true)
        })
        .collect();
    for (capex, time, on_front) in &points {
        let beaten = points
            .iter()
            .any(|of| of.0 <= *capex && of.1 <= *time && (of.0 < *capex || of.1 < *time));
        assert_eq!(*on_front, !beaten);
    }
}

#[test]
fn shards_merge_to_the_bytes_of_the_whole() {
    let folder = fresh_folder("sweep-shards");
    for part in 1..=4 {
        let (shard, file) = (format!("{part}/4"), format!("part-{part}.json"));
        let more = ["--shard", &shard, "--format", "json", "-o", &file];
        assert_eq!(done(&planner_in(&folder, &with(&more))), "");
    }
    let files = ["part-3.json", "part-1.json", "part-4.json", "part-2.json"];
    for format in ["table", "json", "csv", "markdown"] {
        let whole = planner_in(&folder, &with(&["--format", format]));
        let merge = [&["sweep", "--merge"], &files[..], &["--format", format]].concat();
        assert_eq!(done(&planner_in(&folder, &merge)), done(&whole), "{format}");
    }
    // The same part twice does no harm; one that is missing is named.
    let twice = [&["sweep", "--merge", "part-1.json"], &files[..]].concat();
    done(&planner_in(&folder, &twice));
    refused(
        &folder,
        &["sweep", "--merge", "part-1.json", "part-2.json", "part-4.json"],
        2,
        "2 points are missing, the first of shard 3/4",
    );
    let other =
        ["sweep", "starter", "--vary", "cluster.gpus=128", "--format", "json", "-o", "other.json"];
    done(&planner_in(&folder, &other));
    refused(
        &folder,
        &["sweep", "--merge", "part-1.json", "other.json"],
        2,
        "file 2 is of another sweep",
    );
    fs::write(folder.join("cut.json"), "{\"schema\": \"planner/sweep/1\"}").expect("own folder");
    refused(&folder, &["sweep", "--merge", "cut.json"], 2, "can't merge `cut.json`: `axes`");
}

#[test]
fn threads_change_no_byte() {
    let folder = fresh_folder("sweep-threads");
    let one = planner_in(&folder, &with(&["--jobs", "1", "--format", "json"]));
    for jobs in ["2", "7", "64"] {
        let many = planner_in(&folder, &with(&["--jobs", jobs, "--format", "json"]));
        assert_eq!(done(&many), done(&one), "{jobs} threads");
    }
}

#[test]
fn columns_and_objectives_can_be_chosen() {
    let folder = fresh_folder("sweep-columns");
    let more = ["--show", "capex,fabric.kind,leafs", "--pareto", "power,mfu", "--format", "csv"];
    let sheet = planner_in(&folder, &with(&more));
    let head = done(&sheet).lines().next().expect("a heading");
    assert_eq!(
        head,
        "index,cluster.gpus,parallelism.tensor,cost.capex_usd,fabric.kind,fabric.leafs,\
         cost.power_w,step.mfu,on_front,impossible"
    );
    refused(&folder, &with(&["--show", "capx"]), 2, "there is no figure `capx`");
}

#[test]
fn slips_refuse_the_whole_sweep() {
    let folder = fresh_folder("sweep-slips");
    let starter = |more: &[&'static str]| [&["sweep", "starter"], more].concat();
    refused(&folder, &starter(&["--vary", "cluster.gpu=1,2"]), 2, "did you mean `gpus`?");
    refused(&folder, &starter(&["--vary", "cluster.gpus=8,many"]), 2, "has to be a whole number");
    refused(&folder, &starter(&["--vary", "cluster.gpus"]), 2, "is no KEY=A,B,C");
    refused(&folder, &starter(&["--vary", "a=1", "--vary", "a=2"]), 2, "`a` varies twice");
    refused(&folder, &starter(&["--vary", "a=1", "--shard", "5/4"]), 2, "a shard is I/N");
    refused(&folder, &starter(&[]), 2, "--vary");
    let broke = starter(&["--vary", "cluster.gpus=128,256", "--set", "limits.budget=$1"]);
    refused(&folder, &broke, 3, "no point of the grid has a design");
}

#[test]
fn the_page_fits_and_has_a_plot() {
    let folder = fresh_folder("sweep-page");
    let grid = planner_in(&folder, &GRID);
    let page = done(&grid);
    for fact in [
        "starter: 9 points, 6 designs\n",
        "\nPOINTS  * no other point",
        "\nPLOT\n",
        "\nNO DESIGN\n",
    ] {
        assert!(page.contains(fact), "`{fact}` is missing in\n{page}");
    }
    assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
    let curve = planner_in(&folder, &["sweep", "starter", "--vary", "cluster.gpus=128,256"]);
    assert!(done(&curve).contains("██ $"), "{}", curve.stdout);
}

#[cfg(unix)]
mod recipes {
    use super::{fresh_folder, planner_in};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    /// Fenced blocks of a language in docs/sweep.md.
    fn blocks(language: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sweep.md");
        let page = fs::read_to_string(path).expect("the page is part of the project");
        page.split(&format!("```{language}\n"))
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
            .collect()
    }

    #[track_caller]
    fn run(folder: &Path, script: &str, variable: (&str, String)) {
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", folder.display()))
            .env(variable.0, variable.1)
            .output()
            .expect("sh is there");
        assert!(done.status.success(), "{script}\n{}", String::from_utf8_lossy(&done.stderr));
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = fresh_folder(name);
        symlink(env!("CARGO_BIN_EXE_planner"), folder.join("planner")).expect("own folder");
        let spec = ["init", "-q", "--preset", "starter", "model.toml"];
        assert_eq!(planner_in(&folder, &spec).status, 0);
        folder
    }

    #[test]
    fn the_slurm_array_of_the_page_merges() {
        let folder = folder("sweep-slurm");
        let [first, array, merge] = &blocks("sh")[..] else { panic!("three blocks") };
        run(&folder, first, ("NONE", String::new()));
        for task in 1..=4 {
            run(&folder, array, ("SLURM_ARRAY_TASK_ID", task.to_string()));
        }
        run(&folder, merge, ("NONE", String::new()));
        assert_eq!(
            fs::read_to_string(folder.join("sweep.csv")).expect("written").lines().count(),
            7
        );
    }

    #[test]
    fn the_indexed_job_of_the_page_does_the_same_parts() {
        let (slurm, indexed) = (folder("sweep-array"), folder("sweep-indexed"));
        let yaml = &blocks("yaml")[0];
        let script: Vec<&str> = yaml
            .lines()
            .skip_while(|line| !line.ends_with("- |"))
            .skip(1)
            .take_while(|line| line.starts_with("              "))
            .collect();
        let script = script.join("\n");
        for task in 1..=4 {
            run(&slurm, &blocks("sh")[1], ("SLURM_ARRAY_TASK_ID", task.to_string()));
            run(&indexed, &script, ("JOB_COMPLETION_INDEX", (task - 1).to_string()));
            let part = format!("part-{task}.json");
            let read = |folder: &Path| fs::read(folder.join(&part)).expect("it was written");
            assert_eq!(read(&slurm), read(&indexed));
        }
    }
}
