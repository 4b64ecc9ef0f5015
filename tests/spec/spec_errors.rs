//! Every kind of bad spec against the exact text that its author sees.
//!
//! `tests/spec_errors/NAME.toml` is the spec and `NAME.txt` the text. `BLESS=1` writes the texts
//! anew; read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};

use planner::spec::{Override, SpecText, read_scenario};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec_errors");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder stands beside this file")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_bad_spec_is_refused_with_its_exact_text() {
    let bless = std::env::var_os("BLESS").is_some();
    let cases = cases();
    assert!(cases.len() > 10, "the cases are there");
    for case in cases {
        let text = fs::read_to_string(&case).expect("a readable spec");
        let problems = match read_scenario(&SpecText::new("model.toml", text), &[]) {
            Ok(_) => panic!("{} is accepted", case.display()),
            Err(problems) => problems,
        };
        let found = problems.render(false);
        let golden = case.with_extension("txt");
        if bless {
            fs::write(&golden, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(found, expected, "{}", case.display());
    }
}

#[track_caller]
fn refused(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::new(*text)).collect();
    match read_scenario(&SpecText::new("model.toml", text), &overrides) {
        Ok(scenario) => panic!("accepted: {scenario:?}"),
        Err(problems) => problems.render(false),
    }
}

#[track_caller]
fn says(message: &str, text: &str) {
    let found = refused(text, &[]);
    assert!(found.contains(message), "{found}");
}

#[test]
fn what_is_no_text_is_refused_before_the_parser() {
    let read = |bytes: &[u8]| {
        let problems = SpecText::from_bytes("model.toml", bytes).expect_err("it is no text");
        problems.render(false)
    };
    assert!(read(b"name = \"\xff\"").contains("no UTF-8 text: byte 8"));
    assert!(read(&vec![b' '; (1 << 20) + 1]).contains("at most 1048576 are read"));
    says("NUL byte", "name = \"\0\"");
    says("at most 1048576", &" ".repeat((1 << 20) + 1));
    let marked = SpecText::from_bytes("model.toml", "\u{feff}[model]".as_bytes());
    assert_eq!(marked.expect("a mark is no fault").text, "[model]");
}

#[test]
fn depth_and_size_do_no_harm() {
    const DEEP: usize = 300_000;
    says("nests deeper", &format!("a = {}", "[".repeat(DEEP)));
    says("nests deeper", &format!("a = {}", "{b=".repeat(DEEP)));
    says("nests deeper", &format!("{}b = 1", "a.".repeat(DEEP)));
    says("nests deeper", &format!("[{}b]", "a.".repeat(DEEP)));
    says("no valid TOML", &"[".repeat(DEEP));
    says("no valid TOML", &"x\n".repeat(DEEP));
    let keys = |count: usize| (0..count).map(|i| format!("k{i} = 1\n")).collect::<String>();
    says("not shown", &keys(1_900));
    says("a table of 50000 keys", &keys(50_000));
    says("a list of 3000 tables", &"[[stage]]\n".repeat(3_000));
    says("a list of 40000 items", &format!("gate.fail_on = [{}]", "\"a>1\",".repeat(40_000)));
}

#[test]
fn overrides_are_refused_where_they_stand() {
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("presets/specs/starter.toml"),
    )
    .expect("it ships");
    let found = refused(
        &text,
        &["cluster.nod=dgx-h100", "gpus", "training.tokens=[1", "name.a=1", "cluster.gpus=x"],
    );
    let expected = "\
error: unknown key `nod` in [cluster]
 --> --set:1:9
  |
1 | cluster.nod=dgx-h100
  |         ^^^
  |
  = help: did you mean `node`?

error: an override has to be KEY=VALUE
 --> --set:1:1
  |
1 | gpus
  | ^^^^
  |
  = help: write it like `cluster.gpus=4096` or `training.precision=fp8`

error: the value of this override is no valid TOML
 --> --set:1:17
  |
1 | training.tokens=[1
  |                 ^^
  |
  = help: close the quotes or brackets; mind that the shell removes quotes of its own

error: `name` is no table, so it has no keys
 --> --set:1:1
  |
1 | name.a=1
  | ^^^^^^
  |
  = help: override the key itself, without what follows

error: `cluster.gpus` is text, but has to be a whole number from 1 to 4194304
 --> --set:1:14
  |
1 | cluster.gpus=x
  |              ^

error: 5 problems in model.toml
";
    assert_eq!(found, expected);
}

#[test]
fn colour_adds_nothing_but_escapes() {
    let problems = read_scenario(&SpecText::new("model.toml", "[modle]"), &[]).expect_err("a slip");
    let (plain, coloured) = (problems.render(false), problems.render(true));
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
}
