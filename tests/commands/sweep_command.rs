//! `planner sweep` as its users and their job arrays see it: what is done in parts, or by more
//! threads, is the same to the byte.

#[allow(dead_code, reason = "nothing is fed here")]
use std::fs;
use std::path::Path;

use planner::design::design;
use planner::quantity::{Better, all_quantities, quantity_for_key, split_member_key};
use planner::report::{self, Detail, Format, RenderOptions};
use planner::results;
use planner::spec::{self, presets};
use serde_json::Value;

use crate::support::program::{Program, fresh_folder, planner_in};

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
            .any(|pair| pair.0 <= *capex && pair.1 <= *time && (pair.0 < *capex || pair.1 < *time));
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
        "`other.json` is of another sweep than `part-1.json`: it varies other keys or values",
    );
    let cut = "{\"schema\": \"planner/sweep/1\", \"planner\": \"0\", \"build\": \"0\", \
               \"catalogue\": \"0\", \"origin\": \"0\"}";
    fs::write(folder.join("cut.json"), cut).expect("own folder");
    refused(&folder, &["sweep", "--merge", "cut.json"], 2, "can't merge `cut.json`: `axes`");
}

/// The two shards of a grid of two points, as JSON, in files of a folder.
fn two_shards(folder: &Path) -> [Value; 2] {
    ["1/2", "2/2"].map(|shard| {
        let file = shard.replace("/2", ".json");
        let grid = ["sweep", "starter", "--vary", "cluster.gpus=128,256", "--shard", shard];
        done(&planner_in(folder, &[&grid[..], &["--format", "json", "-o", &file]].concat()));
        let text = fs::read_to_string(folder.join(&file)).expect("it was written");
        serde_json::from_str(&text).expect("JSON")
    })
}

#[test]
fn parts_that_contradict_each_other_or_themselves_are_refused() {
    let folder = fresh_folder("sweep-contradiction");
    let [first, _] = two_shards(&folder);
    let write = |name: &str, part: &Value| {
        fs::write(folder.join(name), part.to_string()).expect("own folder");
    };
    let mut other = first.clone();
    other["points"][0]["entries"]["cost.capex_usd"] = 1.0.into();
    write("x.json", &other);
    let told = "`x.json` has another result of point 0 than `1.json`";
    refused(&folder, &["sweep", "--merge", "1.json", "x.json", "2.json"], 2, told);
    let told = "`1.json` has another result of point 0 than `x.json`";
    refused(&folder, &["sweep", "--merge", "x.json", "1.json", "2.json"], 2, told);
    let both = [first["points"][0].clone(), other["points"][0].clone()];
    write(
        "x.json",
        &Value::Object({
            let mut whole = first.as_object().expect("an object").clone();
            whole.insert("points".into(), both.to_vec().into());
            whole
        }),
    );
    let told = "`x.json` has two results of point 0";
    refused(&folder, &["sweep", "--merge", "x.json", "2.json"], 2, told);
}

/// What somebody does to a part.
type Change = Box<dyn Fn(&mut Value)>;

#[test]
fn what_no_design_can_say_is_refused() {
    let folder = fresh_folder("sweep-impossible");
    let [first, _] = two_shards(&folder);
    let entry = |key: &'static str, value: Value| {
        move |part: &mut Value| {
            part["points"][0]["entries"][key] = value.clone();
        }
    };
    let changes: [(&str, Change); 11] = [
        ("cost.capex_usd", Box::new(entry("cost.capex_usd", (-1e9).into()))),
        ("step.time_s", Box::new(entry("step.time_s", (-5).into()))),
        ("step.time_s", Box::new(entry("step.time_s", Value::Null))),
        ("step.time_s", Box::new(entry("step.time_s", "NaN".into()))),
        ("step.mfu", Box::new(entry("step.mfu", 1.5.into()))),
        ("cost.power_w", Box::new(entry("cost.power_w", true.into()))),
        ("fabric.kind", Box::new(entry("fabric.kind", 3.into()))),
        ("entries", Box::new(|part| part["points"][0]["impossible"] = "both".into())),
        ("values", Box::new(|part| part["points"][0]["values"]["cluster.gpus"] = "64".into())),
        ("points.index", Box::new(|part| part["points"][0]["index"] = 1.into())),
        ("senses", Box::new(|part| part["senses"][0] = "up".into())),
    ];
    for (key, change) in changes {
        let mut part = first.clone();
        change(&mut part);
        fs::write(folder.join("x.json"), part.to_string()).expect("own folder");
        refused(&folder, &["sweep", "--merge", "x.json", "2.json"], 2, "can't merge `x.json`: `");
        refused(&folder, &["sweep", "--merge", "x.json", "2.json"], 2, key);
    }
    let huge =
        first.to_string().replacen("\"cost.capex_usd\":", "\"cost.capex_usd\":1e999,\"a\":", 1);
    fs::write(folder.join("x.json"), huge).expect("own folder");
    refused(&folder, &["sweep", "--merge", "x.json", "2.json"], 2, "can't merge `x.json`: ");
}

#[test]
fn shards_of_another_program_catalogue_or_question_are_refused() {
    let folder = fresh_folder("sweep-origin");
    let [first, _] = two_shards(&folder);
    for (key, told) in [
        ("planner", "another version of planner made it"),
        ("build", "another build of planner made it"),
        ("catalogue", "a planner with another catalogue of parts or prices made it"),
        ("origin", "it answers another spec, or other `--set`"),
        ("name", "its spec has another name"),
    ] {
        let mut part = first.clone();
        part[key] = "other".into();
        fs::write(folder.join("x.json"), part.to_string()).expect("own folder");
        refused(&folder, &["sweep", "--merge", "2.json", "x.json"], 2, told);
        refused(&folder, &["sweep", "--merge", "2.json", "x.json"], 2, "`x.json`");
    }
    let mut part = first;
    part.as_object_mut().expect("an object").remove("planner");
    fs::write(folder.join("x.json"), part.to_string()).expect("own folder");
    let told = "can't merge `x.json`: it does not say which planner made it";
    refused(&folder, &["sweep", "--merge", "x.json", "2.json"], 2, told);
    // What changes the question changes the shard: nobody has to edit it.
    let grid = ["sweep", "starter", "--vary", "cluster.gpus=128,256", "--shard", "1/2"];
    for more in [&["--set", "objective.years=7"][..], &["--set", "name=\"starter\""]] {
        let other = [&grid[..], more, &["--format", "json", "-o", "x.json"]].concat();
        done(&planner_in(&folder, &other));
        let told = "it answers another spec";
        refused(&folder, &["sweep", "--merge", "2.json", "x.json"], 2, told);
    }
}

#[test]
fn a_merge_without_a_design_ends_as_the_whole_does() {
    let folder = fresh_folder("sweep-merged-nothing");
    let grid = ["sweep", "starter", "--vary", "cluster.gpus=128,256", "--set", "limits.budget=$1"];
    for shard in ["1/2", "2/2"] {
        let file = shard.replace("/2", ".json");
        let more = ["--shard", shard, "--format", "json", "-o", &file];
        done(&planner_in(&folder, &[&grid[..], &more].concat()));
    }
    let told = "no point of the grid has a design";
    refused(&folder, &grid, 3, told);
    refused(&folder, &["sweep", "--merge", "1.json", "2.json"], 3, told);
}

#[test]
fn a_sweep_looks_at_the_part_that_is_named() {
    let folder = fresh_folder("sweep-part");
    let grid = ["sweep", "two-stages", "--vary", "objective.years=3,4", "--show", "cluster.gpus"];
    let capex = |more: &[&str]| -> Vec<f64> {
        let sweep = planner_in(&folder, &[&grid[..], more, &["--format", "json"]].concat());
        let json: Value = serde_json::from_str(done(&sweep)).expect("JSON");
        let points = json["points"].as_array().expect("a list");
        points
            .iter()
            .map(|value| value["entries"]["cost.capex_usd"].as_f64().expect("a number"))
            .collect()
    };
    let design = |part: &str| {
        let design = ["design", "two-stages", "--part", part, "--format", "json"];
        let json: Value = serde_json::from_str(done(&planner_in(&folder, &design))).expect("JSON");
        json["cost"]["capex_usd"].as_f64().expect("a number")
    };
    assert_eq!(capex(&["--part", "1"]), [design("1"); 2]);
    assert_eq!(capex(&["--part", "2"]), [design("2"); 2]);
    assert!(capex(&[])[0] > design("1"));
    let wrong = [&grid[..], &["--part", "3"]].concat();
    refused(&folder, &wrong, 2, "the cluster has no part or stage `3`");
    // Parts of one sweep are of one part of the cluster.
    for part in ["1", "2"] {
        let file = format!("{part}.json");
        let shard = format!("{part}/2");
        let more = ["--part", part, "--shard", &shard, "--format", "json", "-o", &file];
        done(&planner_in(&folder, &[&grid[..], &more].concat()));
    }
    refused(&folder, &["sweep", "--merge", "1.json", "2.json"], 2, "it answers another spec");
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
fn each_figure_of_the_front_gets_better_its_own_way() {
    let folder = fresh_folder("sweep-senses");
    let standby = ["--set", "failures.standby=8"];
    let grid = ["sweep", "starter", "--vary", "cluster.gpus=256,512,1024,2048"];
    let grid = [&grid[..], &standby, &["--pareto"]].concat();
    let front = |objectives: &str| -> Vec<String> {
        let sweep = [&grid[..], &[objectives, "--format", "json"]].concat();
        let json: Value = serde_json::from_str(done(&planner_in(&folder, &sweep))).expect("JSON");
        let points = json["points"].as_array().expect("a list").iter();
        let on = points.filter(|point| point["on_front"] == true);
        on.map(|point| point["values"]["cluster.gpus"].as_str().expect("text").to_owned()).collect()
    };
    // With as many on standby the smallest of them costs least and loses least of a year.
    assert_eq!(front("cost.capex_usd,goodput_share"), ["256"]);
    assert_eq!(front("capex,goodput_share:min"), ["256", "512", "1024", "2048"]);
    assert_eq!(front("capex,cluster.gpus:min"), ["256"]);
    assert_eq!(front("capex,cluster.gpus:max").len(), 4);
    let sweep = |objectives| [&grid[..], &[objectives]].concat();
    let told = "`cluster.gpus` is better neither where it is small nor where it is large";
    refused(&folder, &sweep("capex,cluster.gpus"), 2, told);
    refused(&folder, &sweep("capex,cluster.gpus"), 2, "`cluster.gpus:min` or `cluster.gpus:max`");
    refused(&folder, &sweep("capex,fabric.kind"), 2, "`fabric.kind` is better neither");
    refused(&folder, &sweep("capex:best,power"), 2, "`best` is no direction");
}

/// Declared a second time: what is good where it is large, and what is good neither way.
#[test]
fn directions_are_those_that_a_buyer_would_name() {
    let read = |better: Better| -> Vec<&str> {
        all_quantities()
            .filter(|row| row.better == better && row.unit.is_number())
            .map(|row| row.key)
            .collect()
    };
    let good = [
        "step.mfu",
        "step.hfu",
        "step.tokens_per_s_per_gpu",
        "step.model_tflops_per_gpu",
        "fabric.bisection_share",
        "fabric.across_rails_share",
        "headroom.gpus_on_free_ports",
        "headroom.gpus_before_another_tier",
        "all_to_all.stored_share",
        "all_to_all.pipelined_share",
        "goodput_share",
        "failures.worst_pace_share",
        "failures.pace_left_share",
        "failures.whole_domains_share",
    ];
    assert_eq!(read(Better::Higher), good);
    // Money, power, time and what one would rather have less of is the rest.
    for key in read(Better::Lower) {
        let words = [
            "_usd",
            "usd_per",
            "_w",
            "_s",
            "_days",
            "_bytes",
            "bytes_by",
            "slowdown",
            "error_band",
            "expert_load",
            "fabric.",
            "racks.",
            "solver.gap",
            "solver.layouts_gap",
            "price_not_found",
            "routing.",
            "robust.",
            "failures.",
        ];
        assert!(words.iter().any(|word| key.contains(word)), "{key}");
    }
    for key in read(Better::Neither) {
        assert!(!key.starts_with("cost.") && !key.ends_with("time_s"), "{key}");
    }
}

/// The table and the spreadsheet mark the same points as JSON.
#[test]
fn every_format_marks_the_same_front() {
    let folder = fresh_folder("sweep-marks");
    let shown = |format: &str| done(&planner_in(&folder, &with(&["--format", format]))).to_owned();
    let json: Value = serde_json::from_str(&shown("json")).expect("JSON");
    let marks: Vec<bool> = json["points"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|point| point["on_front"] == true)
        .collect();
    assert!(marks.contains(&true) && marks.contains(&false));
    let table = shown("table");
    let rows = table.lines().skip_while(|line| !line.ends_with("best")).skip(1).take(marks.len());
    let stars: Vec<bool> = rows.map(|line| line.trim_end().ends_with('*')).collect();
    assert_eq!(stars, marks, "{table}");
    let sheet = shown("csv");
    let cells: Vec<bool> = sheet.lines().skip(1).map(|line| line.contains(",true,")).collect();
    assert_eq!(cells, marks, "{sheet}");
}

#[test]
fn every_figure_of_a_design_says_which_way_it_gets_better() {
    let mut stated = Vec::new();
    for spec in ["starter", "two-stages", "two-products", "racks-rail-only"] {
        let source = presets::ready_spec(spec).expect("it ships");
        let scenario = spec::read_scenario(&source, &[]).expect("it ships");
        let plan = design(&scenario).expect("it has a design");
        let json = report::render_design(
            &plan,
            RenderOptions { format: Format::Json, colour: false, detail: Detail::Usual },
        );
        let figures = results::read_snapshot(json.as_bytes()).expect("it was written").figures;
        for key in figures.keys() {
            // Of one of several what it calls it; a workload has no bill.
            let own = split_member_key(key).map_or(key.as_str(), |(_, own)| own);
            let row = quantity_for_key(own).or_else(|| quantity_for_key(&format!("cost.{own}")));
            // What a verdict is held against is told as differences of figures.
            if own == "share" || own.starts_with("reference.") {
                continue;
            }
            assert!(row.is_some(), "`{key}` of {spec} has no row in src/quantity/");
            stated.extend(row.map(|row| row.key));
        }
        for row in all_quantities().filter(|row| row.always && row.unit.is_number()) {
            let has = figures.contains_key(row.key);
            assert!(has, "{spec} has no `{}`, which src/quantity/ says every design has", row.key);
        }
    }
    assert!(stated.contains(&"growth.present_value_usd"), "no stages were looked at");
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
    // No value of what varies mends a spec that is wrong: that is no question of limits.
    let vary = ["--vary", "cluster.gpus=128,256", "--set"];
    let wrong = starter(&[&vary[..], &["parallelism.tensor=7"]].concat());
    refused(&folder, &wrong, 2, "no point of the grid has a design");
    let alone = planner_in(&folder, &["design", "starter", "--set", "parallelism.tensor=7"]);
    assert_eq!(alone.status, 2, "{}", alone.stderr);
}

#[test]
fn the_page_fits_and_has_a_plot() {
    let folder = fresh_folder("sweep-page");
    let grid = planner_in(&folder, &GRID);
    let page = done(&grid);
    for fact in [
        "starter: 9 points, 6 designs\n",
        "\nPOINTS  * best trade-off of cost.capex and step.time\n",
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

    /// Fenced blocks of a language in docs/ci.md, below "Job arrays".
    fn blocks(language: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
        let page = fs::read_to_string(path).expect("the page is part of the project");
        let (_, arrays) = page.split_once("## Job arrays").expect("the page has job arrays");
        arrays
            .split(&format!("```{language}\n"))
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
            .collect()
    }

    /// Runs a script of the page; what it prints.
    #[track_caller]
    fn run(folder: &Path, script: &str, variable: (&str, String)) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", folder.display()))
            .env(variable.0, variable.1)
            .output()
            .expect("sh is there");
        assert!(done.status.success(), "{script}\n{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("output is text")
    }

    /// Whether a table says that every point has a design: `name: 6 points, 6 designs`.
    #[track_caller]
    fn all_are_designed(table: &str) {
        let title = table.lines().find(|line| line.contains(" points, ")).expect(table);
        let counts: Vec<&str> =
            title.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).collect();
        let [.., points, designs] = counts[..] else { panic!("{title}") };
        assert_eq!(points, designs, "an example of the page has a point without a design\n{table}");
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = fresh_folder(name);
        symlink(env!("CARGO_BIN_EXE_planner"), folder.join("planner")).expect("own folder");
        let spec = ["init", "-q"];
        assert_eq!(planner_in(&folder, &spec).status, 0);
        folder
    }

    #[test]
    fn the_slurm_array_of_the_page_merges() {
        let folder = folder("sweep-slurm");
        let [array, merge] = &blocks("sh")[..] else { panic!("two blocks") };
        for task in 1..=4 {
            run(&folder, array, ("SLURM_ARRAY_TASK_ID", task.to_string()));
        }
        all_are_designed(&run(&folder, merge, ("NONE", String::new())));
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
            let blocks = blocks("sh");
            run(&slurm, &blocks[blocks.len() - 2], ("SLURM_ARRAY_TASK_ID", task.to_string()));
            run(&indexed, &script, ("JOB_COMPLETION_INDEX", (task - 1).to_string()));
            let part = format!("part-{task}.json");
            let read = |folder: &Path| fs::read(folder.join(&part)).expect("it was written");
            assert_eq!(read(&slurm), read(&indexed));
        }
    }
}

/// Where a cluster is too large for its budget, a smaller one that has a design is named, and the
/// command that is printed runs as it stands.
#[test]
fn what_is_said_of_smaller_clusters_can_be_typed() {
    let folder = fresh_folder("sweep-smaller");
    let limits = ["--set", "limits.budget=$7M", "--set", "training.tokens=\"1T\""];
    let tight = planner_in(&folder, &[&["design", "starter"], &limits[..]].concat());
    assert_eq!(tight.status, 3, "{}", tight.stderr);
    let help = tight.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, help) = help.split_once(" or ").expect("another way out");
    let command = help.split('`').nth(1).expect("it has a command");
    let words = command.strip_prefix("planner ").expect("of this program");
    // As a shell takes them: nothing is quoted but what has single quotes around it.
    let words: Vec<String> = words.split(' ').map(|word| word.replace('\'', "")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let sweep = planner_in(&folder, &[&words[..], &["--format", "json"]].concat());
    assert_eq!(sweep.status, 0, "{}", sweep.stderr);
    let json: Value = serde_json::from_str(&sweep.stdout).expect("JSON");
    let gpus = help.split(' ').next().expect("it begins with a number");
    let first = &json["points"][0];
    assert_eq!(first["values"]["cluster.gpus"], gpus);
    assert!(first["entries"].is_object(), "{first}");
    let at = |gpus: &str| {
        planner_in(&folder, &[&["design", "starter", "--set", gpus], &limits[..]].concat())
    };
    assert_eq!(at(&format!("cluster.gpus={gpus}")).status, 0);
}

/// Where points have no design for unlike reasons, each is told with its point.
#[test]
fn reasons_are_told_with_their_points() {
    let folder = fresh_folder("sweep-reasons");
    let poor = ["--set", "limits.budget=$1M"];
    let sweep = ["sweep", "starter", "--vary", "cluster.gpus=250,500"];
    let told = planner_in(&folder, &[&sweep[..], &poor].concat());
    assert_eq!((told.status, told.stdout.as_str()), (3, ""), "{}", told.stderr);
    for gpus in ["cluster.gpus=250: ", "cluster.gpus=500: "] {
        assert!(told.stderr.contains(gpus), "{}", told.stderr);
    }
}
