//! The program as its users and their scripts see it: exact output, exact exit status. Nothing is
//! expected on a stream unless a test says so.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::program::{Program, fresh_folder, planner_fed, planner_in};

/// A run that prints nothing but a result.
#[track_caller]
fn done(program: &Program) -> &str {
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{}", program.stdout);
    &program.stdout
}

/// A run that ends with a status and says why on standard error only.
#[track_caller]
fn failed(program: &Program, status: i32) -> &str {
    assert_eq!((program.status, program.stdout.as_str()), (status, ""), "{}", program.stderr);
    &program.stderr
}

/// Names of the files of a folder, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the folder is this test's own")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_newcomer_needs_two_commands() {
    let folder = fresh_folder("newcomer");
    let first = planner_in(&folder, &["init"]);
    assert_eq!(first.stderr, "note: wrote model.toml\n");
    assert_eq!((first.status, first.stdout.as_str()), (0, ""));
    assert_eq!(files(&folder), ["model.toml"]);
    let design = planner_in(&folder, &["design"]);
    assert!(done(&design).contains("\nNetwork "), "{}", design.stdout);
    let compare = planner_in(&folder, &["compare", "--baseline", "clos"]);
    assert!(done(&compare).contains(" against a full-bisection Clos"), "{}", compare.stdout);
    assert!(compare.stdout.lines().count() <= 16, "{}", compare.stdout);
    // One of two baselines breaks a limit.
    let two = ["compare", "--baseline", "clos", "--baseline", "rail-optimized"];
    let limit = ["--set", "limits.power=1.345MW"];
    let compare = planner_in(&folder, &[&two[..], &limit].concat());
    assert!(done(&compare).contains("breaks limits of the spec"), "{}", compare.stdout);
    assert!(compare.stdout.lines().count() <= 16, "{}", compare.stdout);
}

/// One cluster, one in parts and one that grows; each report is drawn at the level asked for.
#[test]
fn a_report_has_three_levels_and_sections_by_name() {
    let folder = fresh_folder("levels");
    for spec in ["gpt3-175b-a100-1536", "two-products", "two-stages"] {
        let short = planner_in(&folder, &["design", spec, "-q"]);
        assert_eq!(done(&short).lines().count(), 3, "{spec}: {}", short.stdout);
        let usual = planner_in(&folder, &["design", spec]);
        let (rows, verdict) = done(&usual).split_once("\n\n").expect("the verdict stands apart");
        for all in ["-v", "--all"] {
            let long = planner_in(&folder, &["design", spec, all]);
            assert!(long.status == 0 && long.stdout.starts_with(rows), "{spec}: {}", long.stdout);
            assert!(long.stdout.ends_with(verdict), "{spec}: {}", long.stdout);
            let table = long.stdout.split("\nASSUMPTIONS").nth(1).expect("it lists them");
            assert!(table.contains("objective.minimize"), "{table}");
        }
    }
    let spec = "gpt3-175b-a100-1536";
    let whole = planner_in(&folder, &["design", spec, "--all"]);
    let some = planner_in(&folder, &["design", spec, "--section", "bill", "--section", "Memory"]);
    let headings: Vec<&str> = done(&some)
        .lines()
        .skip(1)
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert_eq!(headings, ["PRICE", "MEMORY"]);
    for line in some.stdout.lines().filter(|line| !line.is_empty()) {
        assert!(done(&whole).contains(line), "{line}");
    }
    let list = planner_in(&folder, &["design", spec, "--section", "list"]);
    assert!(
        done(&list).starts_with("decision\nwarnings\nprice\nalternatives\n"),
        "{}",
        list.stdout
    );
    let refused = planner_in(&folder, &["design", spec, "--section", "bills"]);
    let text = failed(&refused, 2);
    assert!(text.contains("has no section `bills`"), "{text}");
    assert!(
        text.contains("it has decision, warnings, price, alternatives, limits, network, layout"),
        "{text}"
    );
    for deaf in [
        &["design", spec, "--format", "json"][..],
        &["design", spec, "--format", "csv"],
        &["traffic", spec, "--by", "gpu"],
        &["schema"],
    ] {
        let refused = planner_in(&folder, &[deaf, &["--section", "bill"]].concat());
        assert!(failed(&refused, 2).contains("no sections"), "{deaf:?}: {}", refused.stderr);
    }
    for command in ["step", "traffic", "compare", "search", "topology", "bill"] {
        let short = planner_in(&folder, &[command, spec, "-q"]);
        assert_eq!(done(&short).lines().count(), 1, "{command}: {}", short.stdout);
        let usual = planner_in(&folder, &[command, spec]);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let answer = words(done(&short));
        assert!(words(done(&usual)).ends_with(&answer), "{command}: {}", usual.stdout);
        assert!(usual.stdout.lines().count() <= 25, "{command}: {}", usual.stdout);
        let all = planner_in(&folder, &[command, spec, "-v"]);
        assert_eq!(all.status, 0, "{command}: {}", all.stderr);
        assert!(words(&all.stdout).ends_with(&answer), "{command}: {}", all.stdout);
    }
}

#[test]
fn init_keeps_what_is_there_unless_forced() {
    let folder = fresh_folder("init");
    fs::write(folder.join("model.toml"), "mine").expect("a file can be written");
    let refused = planner_in(&folder, &["init"]);
    assert_eq!(
        failed(&refused, 2),
        "error: `model.toml` exists already\n\
         help: name another file, or replace it with `--force`\n"
    );
    assert_eq!(fs::read(folder.join("model.toml")).expect("it is there"), b"mine");
    assert_eq!(done(&planner_in(&folder, &["init", "--force", "-q"])), "");
    assert_ne!(fs::read(folder.join("model.toml")).expect("it is there"), b"mine");
    let shown = planner_in(&folder, &["init", "-"]);
    assert_eq!(done(&shown), fs::read_to_string(folder.join("model.toml")).expect("it is there"));
}

#[test]
fn init_knows_ready_specs_by_name() {
    let folder = fresh_folder("init-preset");
    let shown = planner_in(&folder, &["init", "--preset", "gpt3-175b-a100-1536", "-"]);
    assert!(done(&shown).contains("gpt3-175b"));
    let unknown = planner_in(&folder, &["init", "--preset", "gpt9"]);
    assert_eq!(
        failed(&unknown, 2),
        "error: there is no model and no ready spec `gpt9`\nhelp: see `planner presets list`\n"
    );
    assert!(files(&folder).is_empty());
}

#[test]
fn a_spec_comes_from_a_file_from_standard_input_or_by_name() {
    let folder = fresh_folder("input");
    let by_name = planner_in(&folder, &["step", "starter", "--format", "json"]);
    let text = planner_in(&folder, &["init", "--preset", "starter", "-"]).stdout;
    let piped = planner_fed(&folder, &["step", "-", "--format", "json"], text.as_bytes());
    fs::write(folder.join("mine.toml"), &text).expect("a file can be written");
    let from_file = planner_in(&folder, &["step", "mine.toml", "--format", "json"]);
    assert_eq!(done(&by_name), done(&piped));
    assert_eq!(done(&by_name), done(&from_file));
}

#[test]
fn a_file_wins_over_a_ready_spec_of_its_name() {
    let folder = fresh_folder("file-wins");
    fs::write(folder.join("starter"), "not = 'a spec'").expect("a file can be written");
    failed(&planner_in(&folder, &["step", "starter"]), 2);
}

#[test]
fn a_missing_spec_says_how_to_get_one() {
    let folder = fresh_folder("missing");
    for (arguments, name) in [(vec!["design"], "model.toml"), (vec!["design", "a/b"], "a/b")] {
        let missing = planner_in(&folder, &arguments);
        let text = failed(&missing, 2);
        assert!(text.starts_with(&format!("error: can't read `{name}`: ")), "{text}");
        assert!(text.ends_with(
            "help: write a first spec with `planner init`, or name a ready one: \
             `planner presets list`\n"
        ));
    }
}

#[test]
fn what_is_no_spec_is_refused_without_a_panic() {
    let folder = fresh_folder("rubbish");
    let directory = planner_in(&folder, &["design", "."]);
    assert!(failed(&directory, 2).starts_with("error: can't read `.`: "));
    let large = vec![b'#'; (1 << 20) + 1];
    let nested = "a = ".to_owned() + &"[".repeat(100_000);
    for rubbish in [
        &b"\x00\xff\x80"[..],
        b"\x7fELF\x02\x01",
        b"",
        b"\xef\xbb\xbf",
        b"[model",
        b"name = 'a\0b'",
        &large,
        nested.as_bytes(),
        b"[cluster]\ngpus = -1\n",
    ] {
        let refused = planner_fed(&folder, &["design", "-"], rubbish);
        let text = failed(&refused, 2);
        assert!(text.contains("error"), "{text}");
        assert!(!text.contains("panicked"), "{text}");
    }
}

#[test]
fn all_problems_of_a_spec_are_told_at_once() {
    let folder = fresh_folder("problems");
    let spec = "[model]\npreset = \"gpt3-175b\"\nheadz = 96\n[training]\nglobal_batch = 0\n\
                [cluster]\ngpus = 64\nnode = \"dgx-a100-80bg\"\n";
    let refused = planner_fed(&folder, &["design", "-"], spec.as_bytes());
    let text = failed(&refused, 2);
    for fact in ["headz", "heads", "global_batch", "dgx-a100-80gb"] {
        assert!(text.contains(fact), "`{fact}` is missing in\n{text}");
    }
}

#[test]
fn bad_usage_is_status_two() {
    let folder = fresh_folder("usage");
    for arguments in [
        vec!["desing"],
        vec![],
        vec!["design", "--format", "jsn"],
        vec!["design", "--solver", "abacus"],
        vec!["design", "-q", "-v"],
        vec!["fabric", "clos"],
        vec!["fabric", "clos", "--endpoints", "-1", "--radix", "64"],
        vec!["fabric", "clos", "--endpoints", "8", "--radix", "64", "--oversubscription", "1:7"],
        vec!["fabric", "clos", "--endpoints", "8", "--radix", "64", "--nic", "400 Gbps"],
        vec!["design", "starter", "--set", "cluster.gpus"],
        vec!["presets", "show", "nothing-of-the-kind"],
    ] {
        let text = planner_in(&folder, &arguments);
        failed(&text, 2);
    }
}

#[test]
fn help_and_version_are_results() {
    let folder = fresh_folder("help");
    assert!(done(&planner_in(&folder, &["--help"])).contains("Exit status: 0 done"));
    let version = format!("planner {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(done(&planner_in(&folder, &["--version"])), version);
}

#[test]
fn an_override_changes_the_spec() {
    let folder = fresh_folder("set");
    let set = ["step", "starter", "--set", "name=mine", "--format", "json"];
    let changed = planner_in(&folder, &set);
    assert!(done(&changed).contains("\"name\": \"mine\""), "{}", changed.stdout);
}

#[test]
fn what_no_design_can_meet_is_status_three_with_the_reason() {
    let folder = fresh_folder("infeasible");
    let broke = planner_in(&folder, &["design", "starter", "--set", "limits.budget=$1"]);
    assert_eq!(broke.status, 3, "{}", broke.stderr);
    let short = "error: no design: limits.budget is $1, the least is $";
    assert!(broke.stderr.starts_with(short), "{}", broke.stderr);
    // The screen says how far, and its last line why.
    let screen = &broke.stdout;
    assert!(screen.starts_with("starter: llama3-8b on 256 H100, 1T tokens\nLimits "), "{screen}");
    for label in ["\nLeast      limits.budget $", "\nChange     limits.budget = \"$"] {
        assert!(screen.contains(label), "{screen}");
    }
    let last = screen.lines().last().expect("it has lines");
    assert!(last.starts_with("No design: limits.budget is $1, the least is $"), "{screen}");
    // Programs get nothing but the reason.
    let json = ["design", "starter", "--set", "limits.budget=$1", "--format", "json"];
    let told = planner_in(&folder, &json);
    let text = failed(&told, 3);
    assert!(text.contains("no feasible design") && text.contains("limits.budget"), "{text}");
}

#[test]
fn output_to_a_file_is_whole_and_leaves_nothing_beside_it() {
    let folder = fresh_folder("output");
    let printed = planner_in(&folder, &["step", "starter"]);
    let written = planner_in(&folder, &["step", "starter", "-o", "result.txt"]);
    assert_eq!(done(&written), "");
    assert_eq!(files(&folder), ["result.txt"]);
    let text = fs::read_to_string(folder.join("result.txt")).expect("it was written");
    assert_eq!(text, done(&printed));
    assert_eq!(done(&planner_in(&folder, &["step", "starter", "-o", "-"])), text);

    let nowhere = planner_in(&folder, &["step", "starter", "-o", "no/such/folder"]);
    assert!(failed(&nowhere, 2).starts_with("error: can't write `no/such/folder`: "));
    let directory = planner_in(&folder, &["step", "starter", "-o", "."]);
    assert_eq!(failed(&directory, 2), "error: can't write `.`: it is a directory\n");
    let refused = planner_in(&folder, &["design", "missing.toml", "-o", "result.txt"]);
    failed(&refused, 2);
    let kept = fs::read_to_string(folder.join("result.txt")).expect("it is still there");
    assert_eq!(kept, text, "a failed run leaves the old result");
}

#[cfg(unix)]
#[test]
fn a_result_never_overwrites_what_it_is_made_from() {
    let folder = fresh_folder("overwrite");
    let text = planner_in(&folder, &["init", "--preset", "starter", "-"]).stdout;
    fs::write(folder.join("spec.toml"), &text).expect("own folder");
    let book = "[prices]\nqm9700 = \"$30,000\"\n";
    fs::write(folder.join("book.toml"), book).expect("own folder");
    std::os::unix::fs::symlink("spec.toml", folder.join("link.toml")).expect("own folder");
    fs::hard_link(folder.join("spec.toml"), folder.join("hard.toml")).expect("own folder");
    fs::create_dir(folder.join("sub")).expect("own folder");
    for (words, input) in [
        ("step spec.toml -o spec.toml", "spec.toml"),
        ("step spec.toml -o sub/../spec.toml", "spec.toml"),
        ("step spec.toml -o link.toml", "spec.toml"),
        ("step link.toml -o spec.toml", "link.toml"),
        ("step spec.toml -o hard.toml", "spec.toml"),
        ("design starter --prices book.toml -o book.toml", "book.toml"),
        ("traffic spec.toml --format npy -o spec.toml", "spec.toml"),
        ("diff starter spec.toml -o spec.toml", "spec.toml"),
        ("check starter --against spec.toml -o spec.toml", "spec.toml"),
        ("sweep --merge spec.toml -o spec.toml", "spec.toml"),
    ] {
        let program = planner_in(&folder, &words.split(' ').collect::<Vec<_>>());
        let told = format!("would overwrite `{input}`, which is read");
        assert!(failed(&program, 2).contains(&told), "{words}: {}", program.stderr);
    }
    let file = fs::File::open(folder.join("spec.toml")).expect("it is there");
    let fed = Command::new(env!("CARGO_BIN_EXE_planner"))
        .args(["step", "-", "-o", "spec.toml"])
        .current_dir(&folder)
        .stdin(file)
        .output()
        .expect("the program was built for this test");
    assert_eq!(fed.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.join("spec.toml")).expect("it is there"), text);
    assert_eq!(fs::read_to_string(folder.join("book.toml")).expect("it is there"), book);
    done(&planner_in(&folder, &["step", "spec.toml", "-o", "result.txt"]));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_yet_stays_one() {
    let folder = fresh_folder("dangling");
    fs::create_dir(folder.join("sub")).expect("own folder");
    let link = |name: &str, to: &str| {
        std::os::unix::fs::symlink(to, folder.join(name)).expect("own folder");
    };
    link("first", "sub/second");
    link("sub/second", "../third.txt");
    link("round", "about");
    link("about", "round");
    done(&planner_in(&folder, &["step", "starter", "-o", "first"]));
    let kind = |name: &str| fs::symlink_metadata(folder.join(name)).expect("it is there");
    assert!(kind("first").is_symlink() && kind("sub/second").is_symlink());
    let text = fs::read_to_string(folder.join("third.txt")).expect("the result is there");
    assert_eq!(text, done(&planner_in(&folder, &["step", "starter"])));
    let circle = planner_in(&folder, &["step", "starter", "-o", "round"]);
    assert!(failed(&circle, 2).starts_with("error: can't write `round`: "), "{}", circle.stderr);
}

/// Most systems take names of 255 bytes; a result may have any of them.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_the_longest_name_there_is() {
    let folder = fresh_folder("long-names");
    for name in ["n".repeat(228), "n".repeat(255), "ü".repeat(127), "a\u{10348}".repeat(51)] {
        done(&planner_in(&folder, &["step", "starter", "-o", &name]));
        assert_eq!(files(&folder), [name.as_str()]);
        fs::remove_file(folder.join(&name)).expect("own folder");
    }
    let longer = planner_in(&folder, &["step", "starter", "-o", &"n".repeat(256)]);
    failed(&longer, 2);
    assert!(files(&folder).is_empty());
}

/// A full disk loses the result, whatever writes it: that is no success.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = fresh_folder("full");
    for words in ["step starter", "--help", "--version", "presets list", "schema"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let done = Command::new(env!("CARGO_BIN_EXE_planner"))
            .args(words.split(' '))
            .current_dir(&folder)
            .stdout(full)
            .output()
            .expect("the program was built for this test");
        assert_eq!(done.status.code(), Some(2), "{words}");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(told.starts_with("error: can't write to standard output: "), "{words}: {told}");
    }
    let file = planner_in(&folder, &["step", "starter", "-o", "/dev/full"]);
    assert!(failed(&file, 2).starts_with("error: can't write `/dev/full`: "), "{}", file.stderr);
}

/// Rust puts `/dev/null` in the place of a closed standard output, so that every write to it succeeds.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error_and_dev_null_is_none() {
    let folder = fresh_folder("closed");
    let run = |script: &str| {
        let done = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_planner")])
            .current_dir(&folder)
            .output()
            .expect("sh is there");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let told = "error: can't write to standard output: it is closed\n\
                help: write it to a file with `-o FILE`\n";
    for words in ["step starter", "--help", "traffic starter --by domain --format csv"] {
        assert_eq!(run(&format!("\"$0\" {words} >&-")), (Some(2), told.to_owned()), "{words}");
        for null in ["> /dev/null", "1<> /dev/null", "<&- > /dev/null", "2>&- > /dev/null"] {
            assert_eq!(run(&format!("\"$0\" {words} {null}")).0, Some(0), "{words} {null}");
        }
    }
    assert_eq!(run("\"$0\" step starter -o result.txt >&-"), (Some(0), String::new()));
    assert_eq!(run("\"$0\" step starter | head -1").0, Some(0));
}

/// Nothing that a file, a spec or an argument says steers a terminal or turns a line around.
#[cfg(unix)]
#[test]
fn what_others_wrote_is_harmless() {
    let folder = fresh_folder("harmless");
    let wild = "x\u{1b}[31m\u{9b}31m\u{202e}\u{2067}\u{200f}\u{61c}\u{7}\rz.toml";
    let text = planner_in(&folder, &["init", "--preset", "starter", "-"]).stdout;
    fs::write(folder.join(wild), &text).expect("own folder");
    let bad = |c: char| {
        c != '\n'
            && (c.is_control()
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
                || matches!(c, '\u{2066}'..='\u{2069}'))
    };
    let name = format!("name=\"a{}b\"", wild.replace(|c: char| c.is_control(), ""));
    let option = format!("--{wild}");
    let set = format!("{wild}=1");
    let line = format!("{wild}\nerror: forged");
    for words in [
        &["design", wild, "-v"][..],
        &["design", wild, "--set", "cluster.gpu=3"],
        &["diff", wild, wild],
        &["step", &line],
        &["step", "starter", "-o", &format!("no/{wild}")],
        &["step", "starter", &option],
        &[wild],
        &["step", "starter", "--set", &set],
        &["step", "starter", "--set", &name],
        &["step", "starter", "--set", &name, "--format", "json"],
        &["step", "starter", "--set", &name, "--format", "csv"],
        &["step", "starter", "--set", &name, "--format", "markdown"],
        &["step", "starter", "--set", &name, "--format", "html"],
        &["design", "starter", "--part", wild],
        &["compare", "starter", "--baseline", wild],
        &["explain", "starter", wild],
        &["presets", "show", wild],
        &["man", wild],
        &["init", "--preset", wild, "-"],
        &["sweep", "starter", "--vary", &format!("{wild}=1,2")],
        &["sweep", "starter", "--vary", "cluster.gpus=128", "--show", wild],
        &["sweep", "--merge", wild],
        &["check", "starter", "--against", "starter", "--fail-on", wild],
    ] {
        let program = planner_in(&folder, words);
        for text in [&program.stdout, &program.stderr] {
            assert_eq!(text.chars().find(|c| bad(*c)), None, "{words:?}\n{text:?}");
            assert!(!text.contains("\nerror: forged"), "{words:?}\n{text}");
        }
    }
    // Colours that are asked for stay, and nobody else's beside them.
    let coloured = planner_in(&folder, &["diff", wild, wild, "--color", "always"]);
    assert!(coloured.stdout.contains("\u{1b}[") && !coloured.stdout.contains("\u{1b}[31m\u{fffd}"));
}

#[test]
fn a_command_without_a_spec_refuses_changes_of_one() {
    let folder = fresh_folder("no-spec");
    for words in [
        "validate --set cluster.gpus=8",
        "validate --part dense",
        "validate --prices mine.toml",
        "init --set cluster.gpus=8",
        "init --part dense",
        "presets list --set cluster.gpus=8",
        "schema --set cluster.gpus=8",
        "fabric clos --endpoints 64 --radix 64 --set cluster.gpus=8",
        "sweep --merge part.json --set cluster.gpus=8",
    ] {
        let program = planner_in(&folder, &words.split(' ').collect::<Vec<_>>());
        assert!(failed(&program, 2).contains("leave out `--set`"), "{words}: {}", program.stderr);
    }
    assert!(files(&folder).is_empty());
}

/// A calibration that lets a domain carry nothing: no layout that uses it ever ends a step.
#[test]
fn a_step_that_never_ends_is_no_result() {
    let folder = fresh_folder("never");
    let never =
        ["--set", "hardware.calibrations.hopper.hb_share=0", "--set", "parallelism.tensor=8"];
    for words in [
        "design starter",
        "step starter",
        "traffic starter",
        "search starter",
        "compare starter",
        "compare starter --with swap",
        "explain starter",
        "topology starter",
        "design starter --pareto",
        "sweep starter --vary cluster.gpus=256,512",
    ] {
        let words: Vec<&str> = words.split(' ').chain(never).collect();
        let program = planner_in(&folder, &words);
        assert_eq!(program.status, 3, "{words:?}: {}{}", program.stderr, program.stdout);
        assert!(program.stderr.contains("never ends"), "{words:?}: {}", program.stderr);
        assert!(!program.stdout.contains("e308"), "{words:?}: {}", program.stdout);
    }
}

#[test]
fn techniques_without_any_design_are_status_three() {
    let folder = fresh_folder("with-nothing");
    let broke =
        planner_in(&folder, &["compare", "starter", "--with", "swap", "--set", "limits.budget=$1"]);
    assert_eq!(broke.status, 3, "{}", broke.stderr);
    assert!(broke.stdout.ends_with("No case has a design with all prices.\n"), "{}", broke.stdout);
    assert!(broke.stderr.starts_with("error: no "), "{}", broke.stderr);
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let folder = fresh_folder("device");
    let program = planner_in(&folder, &["step", "starter", "-o", "/dev/stdout"]);
    assert_eq!(done(&program), done(&planner_in(&folder, &["step", "starter"])));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = fresh_folder("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_planner"))
        .args(["presets", "list"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program was started");
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

#[test]
fn fabrics_are_counted_without_a_model() {
    let folder = fresh_folder("fabric");
    let clos = planner_in(&folder, &["fabric", "clos", "--endpoints", "1024", "--radix", "64"]);
    assert_eq!(
        done(&clos),
        "NETWORK  clos: 1,024 NICs at 400 Gb/s, 1 plane, 48 switches in 2 tiers\n  \
         tier   switch  count  ports each  down  up  ports used  ports free\n  \
         leaf   -          32          64    32  32       2,048           0\n  \
         spine  -          16          64    64   -       1,024           0\n  \
         links: 1,024 from NICs to leaf switches, 1,024 from leaf switches to spines; 4,096 optics of\n    \
         400 Gb/s\n  \
         not oversubscribed between any two NICs\n  \
         worst split in halves: 100.0 % of the NICs' bandwidth, by flow through the wired graph, the least\n    \
         of 5 divisions into halves\n"
    );
}

#[test]
fn presets_are_listed_and_shown() {
    let folder = fresh_folder("presets");
    let list = planner_in(&folder, &["presets"]);
    assert_eq!(done(&list), done(&planner_in(&folder, &["presets", "list"])));
    assert!(list.stdout.contains("dgx-h100"));
    let shown = planner_in(&folder, &["presets", "show", "dgx-h100"]);
    assert!(done(&shown).contains("hb_bandwidth"), "{}", shown.stdout);
}

#[test]
fn a_layout_too_large_for_memory_is_timed_but_not_designed_for() {
    let folder = fresh_folder("memory");
    let with = |command: &str, more: &[&str]| {
        let large = ["--set", "parallelism.tensor=1", "--set", "parallelism.data=128"];
        planner_in(&folder, &[&[command, "gpt3-175b-a100-1536"][..], &large, more].concat())
    };
    let step = with("step", &[]);
    assert!(done(&step).contains("does not fit"), "{}", step.stdout);
    assert!(step.stdout.contains("too much"), "{}", step.stdout);
    assert!(done(&with("step", &["--format", "json"])).contains("\"fits\": false"));
    done(&with("traffic", &[]));
    assert!(failed(&with("design", &[]), 3).contains("on the fullest GPU"));
}

#[test]
fn a_designed_fabric_is_wired_and_failed() {
    let folder = fresh_folder("topology");
    let topology = |more: &[&str]| {
        let own = ["--set", "cluster.links=by-end", "--set", "failures.standby=0"];
        let spec = [&["topology", "gpt3-175b-a100-1536"], &own[..]].concat();
        planner_in(&folder, &[&spec[..], more].concat())
    };
    let graph = topology(&[]);
    assert!(done(&graph).contains("1,536 NICs"), "{}", graph.stdout);
    let cables = topology(&["--format", "csv"]);
    assert_eq!(done(&cables).lines().count(), 1 + 1536, "a line for each cable");
    let failed_leaf = topology(&["--fail", "switch:leaf-3", "--format", "json"]);
    assert!(done(&failed_leaf).contains("\"cut_off\": 192"), "{}", failed_leaf.stdout);
    let unknown = topology(&["--fail", "switch:leaf-99"]);
    assert!(failed(&unknown, 2).contains("no switch `leaf-99`"));
    let unknown = topology(&["--fail", "domain:192"]);
    assert_eq!(
        failed(&unknown, 2),
        "error: there is no `domain:192`: the fabric has 192 domains, numbered from 0\n"
    );
    let lost = topology(&["--fail", "gpu:3.1", "--fail", "rail:2"]);
    assert!(done(&lost).contains("every HB domain lost a NIC"), "{}", lost.stdout);
    let drawn = |seed: &str| done(&topology(&["--fail-days", "30", "--seed", seed])).to_owned();
    assert_eq!(drawn("1"), drawn("1"), "the same seed draws the same failures");
    assert_ne!(drawn("1"), drawn("2"));
    let picture = topology(&["--format", "svg"]);
    assert!(done(&picture).starts_with("<svg "), "{}", picture.stdout);
    failed(&topology(&["--fail", "leaf-3"]), 2);
    failed(&topology(&["--fail-days", "0"]), 2);
    failed(&topology(&["--seed", "2"]), 2);
    let whole = done(&topology(&["--format", "dot"])).lines().count();
    let left = topology(&["--fail", "switch:leaf-3", "--format", "dot"]);
    assert!(done(&left).lines().count() < whole, "its cables are gone");
    assert!(!done(&left).contains("-- \"leaf-3\""));
    let picture = topology(&["--fail", "switch:leaf-3", "--format", "svg"]);
    assert!(done(&picture).contains("failed: switch:leaf-3"));
    failed(&planner_in(&folder, &["design", "starter", "--format", "dot"]), 2);
}

#[test]
fn every_ready_spec_can_be_wired() {
    let folder = fresh_folder("wired");
    for spec in ["starter", "llama3-405b-h100-16384", "deepseek-v3-h800-2048"] {
        let topology = planner_in(&folder, &["topology", spec]);
        assert!(done(&topology).contains("no switch has more cables than ports"), "{spec}");
    }
}

#[test]
fn the_schema_is_json_that_names_every_section_of_a_spec() {
    let folder = fresh_folder("schema");
    let schema = planner_in(&folder, &["schema"]);
    let value: serde_json::Value = serde_json::from_str(done(&schema)).expect("it is JSON");
    for key in planner::spec::schema::ROOT.keys {
        let shown = &value["properties"][key.name];
        let text = shown["description"].as_str().unwrap_or_default();
        assert!(text.starts_with(key.doc), "`{}`: {shown}", key.name);
    }
}

/// What Bash completes a line to, by the script that it is given.
fn completed(folder: &Path, line: &str) -> Vec<String> {
    let script = done(&planner_in(folder, &["completions", "bash"])).to_owned();
    let words: Vec<&str> = ["planner"].into_iter().chain(line.split(' ')).collect();
    let asked = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_planner planner {} {}\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    fs::write(folder.join("asked.bash"), asked).expect("a writable folder");
    let run = Command::new("bash").arg(folder.join("asked.bash")).output().expect("bash");
    String::from_utf8_lossy(&run.stdout)
        .lines()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn a_page_names_its_spec_with_digest_and_version() {
    let folder = fresh_folder("signed");
    let spec = fs::read("presets/specs/starter.toml").expect("it ships");
    fs::write(folder.join("mine.toml"), &spec).expect("a writable folder");
    let page = |args: &[&str]| planner_in(&folder, args).stdout;
    let digest = format!("fnv1a-64:{:016x}", fnv1a(&spec));
    let line = |name: &str| {
        format!("Made by planner {} from {name} ({digest})", env!("CARGO_PKG_VERSION"))
    };
    for command in ["design", "step", "compare"] {
        let own = page(&[command, "mine.toml", "--format", "html"]);
        assert!(own.contains(&line("mine.toml")), "{command}");
    }
    let set = ["design", "mine.toml", "--format", "html", "--set", "cluster.max_planes=1"];
    assert!(page(&set).contains(&format!("{}, --set cluster.max_planes=1.", line("mine.toml"))));
    // The comparison of several names each.
    let three =
        page(&["compare", "mine.toml", "starter", "gpt3-175b-a100-1536", "--format", "html"]);
    assert!(three.contains(&line("mine.toml")) && three.contains("gpt3-175b-a100-1536"), "{three}");
    assert_eq!(three.matches("<svg").count(), 4);
}

#[test]
fn completions_and_manual_know_every_command() {
    let folder = fresh_folder("completions");
    let known = ["init", "design", "compare", "sweep", "check", "diff", "traffic", "generate"];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = planner_in(&folder, &["completions", shell]);
        for command in known {
            assert!(done(&script).contains(command), "{shell}: no `{command}`");
        }
    }
    for (typed, offered) in [
        ("design star", "starter"),
        ("compare starter gpt3-175b", "gpt3-175b-a100-1536"),
        ("explain starter cost.cap", "cost.capex_usd"),
        ("compare --baseline rail-o", "rail-optimized"),
        ("compare --with narrow", "narrow-pipeline"),
        ("presets show dgx-h1", "dgx-h100"),
        ("presets show qm97", "qm9700"),
        ("presets show street", "street-2026"),
        ("diff star", "starter"),
        ("diff base.json star", "starter"),
        ("check starter --against gpt3-175b", "gpt3-175b-a100-1536"),
        ("init --preset llama3-8", "llama3-8b"),
        ("init --preset star", "starter"),
        ("init --node gb200", "gb200-nvl72"),
        ("import --preset mixtral", "mixtral-8x7b"),
        ("fabric clos --switch qm97", "qm9700"),
        ("fabric clos --domain dgx-h2", "dgx-h200"),
        ("sweep --show cost.cap", "cost.capex_usd"),
        ("man des", "design"),
    ] {
        assert!(completed(&folder, typed).contains(&offered.to_owned()), "{typed}");
    }
    // What names nothing that ships is left to the shell, which completes files.
    assert!(completed(&folder, "design ./mine").is_empty());
    let page = planner_in(&folder, &["man"]);
    assert!(done(&page).contains(".TH planner 1"), "{}", page.stdout);
    for command in known {
        let page = planner_in(&folder, &["man", command]);
        let title = format!(".TH planner-{command} 1");
        assert!(done(&page).contains(&title), "{}", page.stdout);
    }
    // What `generate` writes had names of its own.
    for old in ["schema", "completions", "man"] {
        let page = planner_in(&folder, &["man", old]);
        assert!(done(&page).contains(&format!(".TH planner-generate-{old} 1")), "{}", page.stdout);
    }
    assert!(failed(&planner_in(&folder, &["man", "desing"]), 2).contains("no command `desing`"));
    failed(&planner_in(&folder, &["completions", "tcsh"]), 2);
    assert_eq!(done(&planner_in(&folder, &["-q", "man"])), done(&page));
    assert_eq!(done(&planner_in(&folder, &["generate", "man"])), done(&page));
}

#[test]
fn the_name_of_a_figure_in_the_place_of_a_spec_is_told_from_a_file() {
    let folder = fresh_folder("figure-for-spec");
    let only = planner_in(&folder, &["explain", "network"]);
    let text = failed(&only, 2);
    assert!(text.contains("there is no file and no ready spec `network`"), "{text}");
    assert!(text.contains("did you mean the figure `cost.network_capex_usd`?"), "{text}");
    let other = planner_in(&folder, &["explain", "starter", "network"]);
    assert!(failed(&other, 2).contains("did you mean `cost.network_capex_usd`?"));
    let file = planner_in(&folder, &["explain", "nothing-like-it"]);
    assert!(failed(&file, 2).contains("there is no figure, word, warning, part or spec"));
}

/// What a warning says to change, read from its text.
#[test]
fn warnings_name_the_keys_that_mend_them() {
    let folder = fresh_folder("warning-keys");
    let warnings = |sets: &[&str]| -> String {
        let sets = sets.iter().flat_map(|set| ["--set", *set]);
        let arguments: Vec<&str> =
            ["design", "starter", "--section", "warnings"].into_iter().chain(sets).collect();
        done(&planner_in(&folder, &arguments)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let uneven = ["cluster.gpus=100", "training.global_batch=500"];
    let idle = warnings(&uneven);
    assert!(
        idle.contains("W03 4 GPUs, 3.8 % of those in machines that train, have no work"),
        "{idle}"
    );
    // 13 x 8 GPUs take a batch that 13 divides; with any other some of them would have no work.
    let advice = "`cluster.gpus` 96, or `cluster.gpus` 104 with `training.global_batch` 416 would \
                  leave none idle";
    assert!(idle.contains(advice), "{idle}");
    assert!(warnings(&["cluster.gpus=104", uneven[1]]).contains("W20 100 of 104 GPUs train"));
    // Followed, the warning is gone.
    let larger = ["cluster.gpus=104", "training.global_batch=416"];
    for followed in [["cluster.gpus=96", uneven[1]], larger] {
        let even = warnings(&followed);
        assert!(!even.contains("W03") && !even.contains("W20"), "{even}");
    }
    let large = ["cluster.node=gb200-nvl72", "parallelism.tensor=8", "parallelism.pipeline=4"];
    let spare = warnings(&large);
    assert!(spare.contains("2 trays of each machine are left for broken ones"), "{spare}");
    // A rack that is drained whole has no trays to spare.
    let whole = "hardware.nodes.gb200-nvl72.tray=72";
    let parts = warnings(&[&large[..], &[whole]].concat());
    assert!(parts.contains("64 of the 72 GPUs of a machine"), "{parts}");
    assert!(parts.contains("degrees that divide 72 would fill machines"), "{parts}");
    assert!(parts.contains("`parallelism.tensor`"), "{parts}");
    // A stack without a fused loss, whose allocator loses a share, fills the memory.
    let tight = warnings(&["framework.preset=megatron-2024", "parallelism.spare_memory=0"]);
    assert!(tight.contains("W04") && tight.contains("`training.recompute`"), "{tight}");
    let own = [
        "hardware.switches.mine={ports=64, port_speed=\"400 Gb/s\", power=\"1500 W\"}",
        "cluster.switches=mine",
    ];
    let guessed = warnings(&own);
    assert!(guessed.contains("W13 no price is known for mine"), "{guessed}");
    assert!(guessed.contains("state `hardware.switches.mine.price`"), "{guessed}");
    let stated = warnings(&[own[0], own[1], "hardware.switches.mine.price=$70k"]);
    assert!(!stated.contains("W13"), "{stated}");
}

/// A section that has nothing to report says so where it is asked for, and only there.
#[test]
fn a_design_without_warnings_says_so_where_it_is_asked_for_them() {
    let folder = fresh_folder("no-warnings");
    let design = [
        "design",
        "deepseek-v3-h800-2048",
        "-q",
        "--set",
        "cluster.links=by-end",
        "--set",
        "failures.standby=0",
    ];
    let asked = planner_in(&folder, &[&design[..], &["--section", "warnings"]].concat());
    assert!(done(&asked).ends_with("WARNINGS  none\n"), "{}", asked.stdout);
    for more in [&[][..], &["--format", "html"]] {
        let whole = planner_in(&folder, &[&design[..], more].concat());
        assert!(!done(&whole).contains("WARNINGS"), "{}", whole.stdout);
    }
}

/// Numbers of GPUs that are said to train all do, and the others have a design as well.
#[test]
fn numbers_of_gpus_near_by_all_train() {
    let folder = fresh_folder("near-by");
    let run = |gpus: &str| {
        let gpus = format!("cluster.gpus={gpus}");
        let base = ["design", "starter", "--section", "warnings", "--set", &gpus];
        planner_in(&folder, &base)
    };
    let some = run("250");
    let text = done(&some).split_whitespace().collect::<Vec<_>>().join(" ");
    let list = text.split("of `cluster.gpus` ").nth(1).and_then(|text| text.split(" all").next());
    let all: Vec<&str> = list.expect("some GPUs stay idle").split(" or ").collect();
    assert_eq!(all.len(), 2, "{text}");
    for gpus in all {
        assert!(!done(&run(gpus)).contains("W20"), "{gpus}");
    }
}

#[test]
fn a_rule_on_a_section_names_its_figures() {
    let folder = fresh_folder("rule-on-section");
    let wrote = planner_in(&folder, &["design", "starter", "--format", "json", "-o", "kept.json"]);
    assert_eq!(wrote.status, 0, "{}", wrote.stderr);
    let arguments = ["check", "starter", "--against", "kept.json", "--fail-on", "cost>+5%"];
    let text = failed(&planner_in(&folder, &arguments), 2).to_owned();
    let hint = text.split("did you mean ").nth(1).expect("it has a hint");
    let named: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
    assert!(named.len() > 1 && named.iter().all(|key| key.starts_with("cost.")), "{text}");
    for key in named {
        let rule = format!("{key}>+5%");
        let arguments = ["check", "starter", "--against", "kept.json", "--fail-on", &rule];
        assert_eq!(planner_in(&folder, &arguments).status, 0, "{rule}");
    }
}
