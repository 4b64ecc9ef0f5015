//! docs/ci.md works: every recipe of the page runs as it stands there, with stand-ins for the tools
//! that would talk to a server.

#![cfg(unix)]

#[allow(dead_code, reason = "recipes run in a shell")]
#[path = "support/program.rs"]
mod program;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use program::fresh_folder;

/// Fenced blocks of a language, in order.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    page.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Commands of a workflow: what stands behind `run:`, or in the lists under keys that end in
/// `script:`. Enough YAML for this page: plain, `|` and `>-` values.
fn commands(yaml: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = yaml.lines().peekable();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut script = None;
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        if script.is_some_and(|depth| indent(line) <= depth) {
            script = None;
        }
        if text.ends_with("script:") {
            script = Some(indent(line));
            continue;
        }
        let value = match script {
            Some(_) => text.strip_prefix("- "),
            None => text.strip_prefix("run: "),
        };
        let Some(value) = value else { continue };
        if !matches!(value, "|" | ">-") {
            found.push(value.to_owned());
            continue;
        }
        let mut inner = Vec::new();
        while let Some(next) = lines.next_if(|next| indent(next) > indent(line)) {
            inner.push(next.trim_start());
        }
        found.push(inner.join(if value == "|" { "\n" } else { " " }));
    }
    found
}

/// A repository with stand-ins on its path: `planner` is the program itself, the others write down
/// what they were asked.
struct Runner {
    folder: PathBuf,
}

impl Runner {
    fn new(name: &str) -> Self {
        let folder = fresh_folder(name);
        let tools = folder.join("tools");
        fs::create_dir(&tools).expect("the folder is this test's own");
        let tool = |name: &str, script: &str| {
            let path = tools.join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("own folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("own file");
        };
        tool("planner", &format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_planner")));
        for name in ["cargo", "gh", "curl"] {
            tool(name, &format!("echo {name} \"$@\" >> \"$CALLS\""));
        }
        Self { folder }
    }

    /// Runs a script like a CI runner does; its status and what it printed.
    fn run(&self, script: &str) -> (i32, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", self.folder.join("tools").display()))
            .env("CALLS", self.folder.join("calls"))
            .env("PLANNER_GIT", "https://git.example.com/planner.git")
            .env("GITHUB_STEP_SUMMARY", self.folder.join("summary"))
            .env("PULL_REQUEST", "7")
            .env("PLANNER_TOKEN", "secret")
            .env("CI_API_V4_URL", "https://gitlab.example.com/api/v4")
            .env("CI_PROJECT_ID", "1")
            .env("CI_MERGE_REQUEST_IID", "7")
            .output()
            .expect("bash is there");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let printed = text(&done.stdout) + &text(&done.stderr);
        (done.status.code().expect("it was not killed"), printed)
    }

    #[track_caller]
    fn passes(&self, script: &str) {
        let (status, printed) = self.run(script);
        assert_eq!(status, 0, "{script}\n{printed}");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// A spec with its accepted result, committed.
    fn with_base(self) -> Self {
        self.passes(&blocks("sh")[0]);
        self.passes(
            "git init -q . && git add model.toml base.json && \
             git -c user.name=a -c user.email=a@example.com commit -q -m base",
        );
        self
    }

    /// The change of a pull request.
    fn with_twice_the_gpus(self) -> Self {
        let spec = self.read("model.toml").replace("gpus = 1024", "gpus = 2048");
        fs::write(self.folder.join("model.toml"), spec).expect("own folder");
        self
    }
}

#[test]
fn the_shell_recipes_pass_and_stop_a_dearer_design() {
    let same = Runner::new("ci-shell").with_base();
    let recipes = blocks("sh");
    assert_eq!(recipes.len(), 3);
    for recipe in &recipes[1..] {
        same.passes(recipe);
    }
    let dearer = same.with_twice_the_gpus();
    for recipe in &recipes[1..] {
        let (status, printed) = dearer.run(recipe);
        assert_eq!(status, 1, "{printed}");
    }
}

#[test]
fn the_github_recipe_checks_and_comments() {
    let runner = Runner::new("ci-github").with_base().with_twice_the_gpus();
    let commands = commands(&blocks("yaml")[0]);
    let [install, check, comment] = &commands[..] else { panic!("{commands:?}") };
    runner.passes(install);
    let (status, printed) = runner.run(check);
    assert_eq!(status, 1, "{printed}");
    runner.passes(comment);
    assert!(runner.read("summary").contains("FAIL, changed"));
    assert!(
        runner.read("comment.md").starts_with("# llama3-70b-2048: model.toml against base.json")
    );
    let calls = runner.read("calls");
    assert!(calls.contains("cargo install --locked --git https://git.example.com"), "{calls}");
    assert!(calls.contains("gh pr comment 7 --edit-last --create-if-none --body-file comment.md"));
}

#[test]
fn the_gitlab_recipe_checks_and_comments() {
    let runner = Runner::new("ci-gitlab").with_base().with_twice_the_gpus();
    let commands = commands(&blocks("yaml")[1]);
    let [install, check, test, comment] = &commands[..] else { panic!("{commands:?}") };
    runner.passes(install);
    let (status, printed) = runner.run(check);
    assert_eq!(status, 1, "{printed}");
    // A runner goes through `after_script` in one shell.
    runner.passes(&format!("{test}\n{comment}"));
    let calls = runner.read("calls");
    assert!(calls.contains("body@comment.md"), "{calls}");
    assert!(calls.contains("/projects/1/merge_requests/7/notes"), "{calls}");
}

#[test]
fn the_rules_of_the_page_are_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    let rules: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(rules.len(), 8, "{rules:?}");
    for rule in rules {
        assert!(planner::gate::Rule::parse(rule).is_ok(), "{rule}");
    }
    for text in blocks("toml") {
        let source = planner::spec::presets::ready("starter").expect("it ships");
        let spec = planner::spec::Source::new("model.toml", source.text + &text);
        let gates =
            planner::spec::gates(&spec, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(gates.len(), 3);
    }
}
