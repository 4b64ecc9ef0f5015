//! What a person at a terminal sees, on a real pseudo-terminal: colours, the width of tables,
//! plots, how long it will still take; and what `-q`, `-v`, `--color` and NO_COLOR change.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use planner::compare::{Baseline, compare_baselines};
use planner::report::{Format, RenderOptions, render_comparison, render_design};
use planner::spec::{presets, read_scenario};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::program::{fresh_folder, planner_in};

/// Which stream the terminal is on; the other is a pipe.
#[derive(Clone, Copy, PartialEq)]
enum On {
    Stdout,
    Stderr,
}

/// Terminals so far: each has a folder of its own, as tests run side by side.
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// What a program writes to a terminal of so many columns, and to the other stream.
fn seen(on: On, columns: u16, arguments: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let (screen, other, _) = signalled(on, columns, arguments, variables, None);
    (screen, other)
}

/// Likewise, with how the program ended. It gets a signal (Ctrl-C) once the screen has shown a text.
fn signalled(
    on: On,
    columns: u16,
    arguments: &[&str],
    variables: &[(&str, &str)],
    after: Option<&'static str>,
) -> (String, String, ExitStatus) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&master).expect("it is ours");
    unlockpt(&master).expect("it is ours");
    let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("it has a name");
    let slave = File::options()
        .read(true)
        .write(true)
        .open(name.to_str().expect("a path"))
        .expect("it is ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_planner"));
    // What the machine of this test wishes, which may be one of CI, is not what is tested.
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .current_dir(fresh_folder(&format!("terminal-{}", SEEN.fetch_add(1, Ordering::Relaxed))))
        .env("TERM", "xterm-256color")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match on {
        On::Stdout => command.stdout(slave),
        On::Stderr => command.stderr(slave),
    };
    let mut child = command.spawn().expect("the program was built for this test");
    // With it goes this side's hold of the terminal, whose end would not come otherwise.
    drop(command);
    let mut other = String::new();
    let piped = child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
    let pipe = piped.or_else(|| child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let id = child.id().to_string();
    let reader = std::thread::spawn(move || {
        let (mut screen, mut after) = (Vec::new(), after);
        let mut master = File::from(master);
        let mut buffer = [0; 4096];
        // The end is an error on Linux: the other side is gone.
        while let Ok(count @ 1..) = master.read(&mut buffer) {
            screen.extend_from_slice(&buffer[..count]);
            if after.is_some_and(|text| String::from_utf8_lossy(&screen).contains(text)) {
                let sent = Command::new("kill").args(["-INT", &id]).status();
                assert!(sent.expect("every Unix has it").success());
                after = None;
            }
        }
        screen
    });
    pipe.expect("one stream is a pipe").read_to_string(&mut other).expect("output is text");
    let ended = child.wait().expect("the program was started");
    let screen = reader.join().expect("reading does not panic");
    (String::from_utf8(screen).expect("output is text").replace("\r\n", "\n"), other, ended)
}

/// A text without what makes it coloured.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut escape = false;
    for character in text.chars() {
        match character {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The widest line that could have been broken: a word longer than a line stands by itself.
fn widest(text: &str) -> usize {
    let breakable = |line: &&str| line.trim().contains(' ');
    text.lines().filter(breakable).map(|line| line.chars().count()).max().unwrap_or(0)
}

const DESIGN: [&str; 2] = ["design", "starter"];

#[test]
fn a_terminal_has_colours_unless_somebody_minds() {
    let colours = |arguments: &[&str], variables: &[(&str, &str)]| {
        seen(On::Stdout, 100, &[&DESIGN[..], arguments].concat(), variables).0.contains('\u{1b}')
    };
    assert!(colours(&[], &[]));
    assert!(!colours(&[], &[("NO_COLOR", "1")]));
    assert!(colours(&[], &[("NO_COLOR", "")]), "no value is no wish: no-color.org");
    assert!(!colours(&[], &[("TERM", "dumb")]));
    let of_ci = [("TERM", "dumb"), ("CI", "true")];
    assert!(colours(&[], &of_ci), "CI calls its terminal dumb, and its log shows colours");
    assert!(!colours(&["--color", "never"], &of_ci));
    assert!(!colours(&["--color", "never"], &[]));
    assert!(colours(&["--color", "always"], &[("NO_COLOR", "1")]), "what is typed counts more");
    assert!(!colours(&["-o", "-", "--format", "json"], &[]), "JSON has none");
}

#[test]
fn a_pipe_and_a_file_have_colours_only_where_asked() {
    let folder = fresh_folder("terminal-pipe");
    assert!(!planner_in(&folder, &DESIGN).stdout.contains('\u{1b}'));
    let always = planner_in(&folder, &[&DESIGN[..], &["--color", "always"]].concat());
    assert!(always.stdout.contains('\u{1b}'));
    assert_eq!(plain(&always.stdout), planner_in(&folder, &DESIGN).stdout);
    seen(On::Stdout, 60, &[&DESIGN[..], &["-o", "/dev/null"]].concat(), &[]);
    // A variable makes no terminal of a pipe: the bytes of a result depend on what is typed.
    for arguments in [&["step", "starter"][..], &["--help"], &["desing"]] {
        let forced = Command::new(env!("CARGO_BIN_EXE_planner"))
            .args(arguments)
            .current_dir(&folder)
            .env("CLICOLOR_FORCE", "1")
            .output()
            .expect("the program was built for this test");
        let said = [forced.stdout, forced.stderr].concat();
        assert!(!said.is_empty() && !said.contains(&0x1b), "{arguments:?}");
    }
    assert!(planner_in(&folder, &["--help", "--color", "always"]).stdout.contains('\u{1b}'));
}

#[test]
fn messages_follow_the_stream_that_they_go_to() {
    let missing = ["design", "nowhere.toml"];
    let (error, result) = seen(On::Stderr, 100, &missing, &[]);
    assert!(error.starts_with("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: can't read"), "{error:?}");
    assert_eq!(result, "");
    for (arguments, variables) in [
        (&missing[..], &[("NO_COLOR", "1")][..]),
        (&["design", "nowhere.toml", "--color", "never"], &[]),
        (&["desing", "--color=never"], &[]),
        (&["desing"], &[("NO_COLOR", "1")]),
    ] {
        let (error, _) = seen(On::Stderr, 100, arguments, variables);
        assert!(error.starts_with("error: "), "{arguments:?}: {error:?}");
    }
    let (error, _) = seen(On::Stderr, 100, &["desing"], &[]);
    assert!(error.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m unrecognized"), "{error:?}");
}

/// A command of every kind, as it is typed; `base.json` is the starter's result.
const COMMANDS: [&str; 24] = [
    "design starter",
    "design starter --pareto",
    "design starter --sensitivity",
    "design two-stages",
    "compare starter --baseline clos",
    "compare gpt3-175b-a100-1536 --with swap --with demo",
    "step llama3-405b-h100-16384",
    "traffic deepseek-v3-h800-2048",
    "traffic deepseek-v3-h800-2048 --by domain",
    "traffic starter --by rail",
    "traffic starter --pair 0 1",
    "traffic starter --gpu 3",
    "search starter",
    "sweep starter --vary cluster.gpus=512,1024",
    "sweep starter --vary cluster.gpus=512,1024 --vary cluster.max_planes=1,2",
    "check starter --against base.json --set cluster.gpus=512 --fail-on capex>never",
    "diff base.json starter --set cluster.gpus=512",
    "explain starter",
    "explain starter cost.network_capex_usd",
    "topology gpt3-175b-a100-1536 --fail switch:leaf-3",
    "fabric rail-only --endpoints 16384 --radix 128 --rails 8",
    "fabric dragonfly --endpoints 1024 --radix 32 --graph",
    "presets list",
    "validate",
];

#[test]
fn every_command_fits_narrow_and_wide() {
    let folder = fresh_folder("terminal-narrow");
    let base = planner_in(&folder, &["design", "starter", "--format", "json", "-o", "base.json"]);
    assert_eq!(base.status, 0);
    for command in COMMANDS {
        let words: Vec<&str> = command.split(' ').collect();
        let usual = planner_in(&folder, &words);
        assert_eq!(usual.status, 0, "{command}: {}", usual.stderr);
        for width in [40, 61, 300] {
            let number = width.to_string();
            let asked = [&words[..], &["--width", &number]].concat();
            let text = planner_in(&folder, &asked).stdout;
            assert!(widest(&text) <= width.min(100), "{command} at {width}\n{text}");
            assert!(width < 100 || text == usual.stdout, "{command}: a wide one is the usual one");
        }
    }
}

/// A design of parts takes seconds: one is drawn at every width.
#[test]
fn parts_of_a_cluster_fit_narrow_and_wide() {
    let source = presets::ready_spec("two-products").expect("it ships");
    let scenario = read_scenario(&source, &[]).expect("what ships is sound");
    let usual = ["clos", "rail-optimized@7:1"];
    let baselines = usual.map(|name| name.parse::<Baseline>().expect("the name is known"));
    let found = compare_baselines(&scenario, &baselines).expect("there is a design");
    for (width, format) in
        [(40, Format::Narrow(40)), (61, Format::Narrow(61)), (100, Format::Table)]
    {
        let look = RenderOptions { format, ..RenderOptions::default() };
        for text in [render_design(&found.design, look), render_comparison(&found, look)] {
            assert!(widest(&text) <= width, "at {width}\n{text}");
        }
    }
}

#[test]
fn a_terminal_says_how_wide_tables_are_and_columns_says_it_louder() {
    let screen = |columns, variables: &[(&str, &str)], more: &[&str]| {
        plain(&seen(On::Stdout, columns, &[&DESIGN[..], more].concat(), variables).0)
    };
    let folder = fresh_folder("terminal-columns");
    let at = |width: &str| planner_in(&folder, &["design", "starter", "--width", width]).stdout;
    assert_eq!(screen(64, &[], &[]), at("64"));
    assert_eq!(screen(200, &[], &[]), at("100"));
    assert_eq!(screen(64, &[("COLUMNS", "52")], &[]), at("52"));
    assert_eq!(screen(64, &[("COLUMNS", "52")], &["--width", "70"]), at("70"));
    for nothing in ["", "0", "many", "-3"] {
        assert_eq!(screen(64, &[("COLUMNS", nothing)], &[]), at("64"));
    }
    assert_eq!(screen(0, &[], &[]), at("100"), "a terminal that does not know its width");
    assert_eq!(screen(7, &[], &[]), at("40"), "narrower than tables can be");
}

/// A pipe's bytes depend on nothing around it.
#[test]
fn pipes_do_not_know_columns() {
    let (_, piped) = seen(On::Stderr, 50, &DESIGN, &[("COLUMNS", "50")]);
    assert_eq!(piped, planner_in(&fresh_folder("terminal-piped"), &DESIGN).stdout);
}

#[test]
fn a_sweep_is_plotted_on_the_terminal() {
    let sweep = ["sweep", "starter", "--vary", "cluster.gpus=512,1024,2048"];
    let (screen, _) = seen(On::Stdout, 60, &sweep, &[]);
    let bars: Vec<usize> = plain(&screen)
        .lines()
        .filter(|line| line.contains('█'))
        .map(|line| line.chars().filter(|letter| *letter == '█').count())
        .collect();
    assert_eq!(bars.len(), 6, "two objectives of three points\n{screen}");
    let (capex, time) = bars.split_at(3);
    assert!(capex.is_sorted() && time.iter().rev().is_sorted(), "{bars:?}");
    assert!(widest(&plain(&screen)) <= 60, "{screen}");
}

/// Long enough that a line about it is due, on any machine.
const LONG: [&str; 4] = [
    "sweep",
    "gpt3-175b-a100-1536",
    "--vary",
    "objective.years=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30",
];

#[test]
fn long_work_tells_a_terminal_how_long_it_will_take_and_a_pipe_nothing() {
    let (screen, result) = seen(On::Stderr, 100, &LONG, &[]);
    let lines: Vec<&str> = screen.split("\r\u{1b}[K").collect();
    assert!(lines.len() > 2, "{screen:?}");
    let (first, last) = (lines.first().copied(), lines.last().copied());
    assert_eq!((first, last), (Some(""), Some("")), "the last line is wiped: {screen:?}");
    for line in &lines[1..lines.len() - 1] {
        assert!(line.contains(" of 30 points, ") && line.ends_with(" left"), "{line:?}");
    }
    let folder = fresh_folder("terminal-long");
    let piped = planner_in(&folder, &LONG);
    assert_eq!((piped.stderr.as_str(), piped.stdout), ("", result));
    let (quiet, _) = seen(On::Stderr, 100, &[&LONG[..], &["-q"]].concat(), &[]);
    assert!(quiet.contains(" of 30 points, ") && quiet.ends_with("\r\u{1b}[K"), "{quiet:?}");
}

#[test]
fn quiet_says_errors_only_and_verbose_what_is_read() {
    let folder = fresh_folder("terminal-quiet");
    let said = |arguments: &[&str]| {
        let program = planner_in(&folder, arguments);
        (program.status, program.stderr)
    };
    let nothing = String::new;
    assert_eq!(said(&["init"]), (0, "note: wrote model.toml\n".into()));
    assert_eq!(said(&["init", "other.toml", "-q"]), (0, nothing()));
    assert_eq!(said(&["design"]), (0, nothing()));
    assert_eq!(said(&["design", "-v"]), (0, "note: reading model.toml\n".into()));
    assert_eq!(said(&["design", "--quiet"]), (0, nothing()));
    assert_eq!(said(&["design", "-q", "-v"]).0, 2);
    let dearer = ["diff", "model.toml", "model.toml", "--set", "cluster.gpus=2048"];
    let warned = [&dearer[..], &["--warn-on", "capex>+1%"]].concat();
    assert_eq!(said(&warned), (0, "warning: rule broken: `capex>+1%`\n".into()));
    assert_eq!(said(&[&warned[..], &["-q"]].concat()), (0, nothing()));
    let failed = [&dearer[..], &["--fail-on", "capex>+1%", "-q"]].concat();
    let breached = "error: rule broken: `capex>+1%`\n";
    assert_eq!(said(&failed), (1, breached.into()), "an error is said, however quiet");
    let (loud, quiet) =
        (planner_in(&folder, &["design", "-v"]), planner_in(&folder, &["design", "-q"]));
    assert!(loud.stdout.len() > quiet.stdout.len(), "a summary, and everything");
    let json = |level| planner_in(&folder, &["design", "--format", "json", level]).stdout;
    assert_eq!(json("-v"), json("-q"), "programs get the same result");
}

/// A design that takes seconds after its first candidate.
const CHOICE: [&str; 12] = [
    "design",
    "starter",
    "--set",
    "cluster.gpus=4096",
    "--set",
    "cluster.node=[\"gb300-nvl72\", \"dgx-h100\"]",
    "--set",
    "cluster.nic=\"auto\"",
    "--set",
    "objective.minimize=\"usd-per-token\"",
    "--set",
    "limits.max_oversubscription=0",
];

/// How often a signal is sent until it comes in time.
const PRESSED: usize = 5;

/// Ctrl-C ends the choice and not the program: the best design until then is printed as a whole, and then
/// the program ends as one that a signal ended.
#[test]
fn ctrl_c_prints_the_best_design_so_far_with_its_gap() {
    for (format, status) in [("table", "stopped after "), ("json", "\"status\": \"interrupted\"")] {
        let arguments = [&CHOICE[..], &["--format", format]].concat();
        // On a busy machine a design may be done before the signal is sent: then once more.
        let (screen, result, ended) = (0..PRESSED)
            .map(|_| signalled(On::Stderr, 160, &arguments, &[], Some(", gap ")))
            .find(|(_, _, ended)| ended.signal().is_some())
            .expect("one of some signals comes in time");
        assert_eq!(ended.signal(), Some(2), "{ended}: {screen}");
        for part in
            [" candidates, best $", " per million tokens (", "), lower bound $", ", gap ", " %"]
        {
            assert!(screen.contains(part), "{screen}");
        }
        assert!(screen.ends_with("\r\u{1b}[K"), "the line is wiped: {screen:?}");
        assert!(
            result.split_whitespace().collect::<Vec<_>>().join(" ").contains(status),
            "{result}"
        );
        assert!(!result.contains("proven") && !result.contains("optimal"), "{result}");
        assert!(format == "json" || result.contains("\nPrice"), "a whole report: {result}");
        assert!(format == "table" || result.ends_with("}\n"), "a whole result: {result}");
    }
}

#[test]
fn ctrl_c_before_any_design_says_so_and_quiet_wipes_its_line() {
    // The first words are of the spec that is read; layouts are looked for then.
    let many = [&CHOICE[..5], &["cluster.node=\"auto\""], &CHOICE[6..], &["-v"]].concat();
    // On a busy machine the signal may come when there is a design, or none is looked for any more.
    for _ in 0..PRESSED {
        let (screen, result, ended) = signalled(On::Stderr, 160, &many, &[], Some("reading"));
        let stopped = ended.signal() == Some(2);
        assert!(stopped || ended.code() == Some(0), "{ended}: {screen}");
        if result.is_empty() {
            assert!(stopped, "{ended}: {screen}");
            break;
        }
        assert!(stopped || !result.contains("stopped after "), "{result}");
    }
    let (screen, result, ended) =
        signalled(On::Stderr, 160, &[&CHOICE[..], &["-q"]].concat(), &[], None);
    assert!(screen.is_empty() || screen.ends_with("\r\u{1b}[K"), "{screen:?}");
    assert_eq!((ended.code(), result.lines().count()), (Some(0), 3), "{result}");
}
