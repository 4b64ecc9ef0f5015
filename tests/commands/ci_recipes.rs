//! docs/ci.md works: every recipe of the page runs as it stands there, with stand-ins for the tools
//! that would talk to a server.

#![cfg(unix)]

#[allow(dead_code, reason = "recipes run in a shell")]
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::program::fresh_folder;

/// Fenced blocks of a language, in order.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    page.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Shells of a workflow, by the name of the step or list: what stands behind `run:`, or in the lists
/// under keys that end in `script:`, whose commands share one shell. Enough YAML for this page: plain,
/// `|` and `>-` values.
fn shells(yaml: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut lines = yaml.lines().peekable();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut script: Option<(usize, String)> = None;
    let mut step = String::new();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        if script.as_ref().is_some_and(|(depth, _)| indent(line) <= *depth) {
            script = None;
        }
        if text.ends_with("script:") {
            script = Some((indent(line), text.trim_end_matches(':').to_owned()));
            continue;
        }
        if let Some(name) = text.strip_prefix("- name: ") {
            step = name.to_owned();
        }
        let (name, value) = match &script {
            Some((_, name)) => (name.clone(), text.strip_prefix("- ")),
            None => (step.clone(), text.strip_prefix("run: ")),
        };
        let Some(value) = value else { continue };
        let command = if matches!(value, "|" | ">-") {
            let mut inner = Vec::new();
            while let Some(next) = lines.next_if(|next| indent(next) > indent(line)) {
                inner.push(next.trim_start());
            }
            inner.join(if value == "|" { "\n" } else { " " })
        } else {
            value.to_owned()
        };
        match found.last_mut().filter(|(word, _)| script.is_some() && *word == name) {
            Some((_, shell)) => *shell = format!("{shell}\n{command}"),
            None => found.push((name, command)),
        }
    }
    found
}

/// The shell of that name.
fn shell(yaml: usize, name: &str) -> String {
    let all = shells(&blocks("yaml")[yaml]);
    let found = all.iter().find(|(text, _)| text == name);
    found.unwrap_or_else(|| panic!("no {name} in {all:?}")).1.clone()
}

/// A repository with stand-ins on its path: `planner` is the program itself, the others write down
/// what they were asked. `origin` is a bare repository beside it.
struct Runner {
    folder: PathBuf,
}

/// What a recipe came to.
struct Verdict {
    recipe: &'static str,
    status: i32,
    printed: String,
    /// What was posted to the pull request; nothing where the recipe has no comment.
    comment: Option<String>,
}

/// What a recipe takes its base from.
const RECIPES: [&str; 4] = ["shell, result", "shell, spec", "github", "gitlab"];

const GIT: &str = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main";

impl Runner {
    /// A repository in which somebody has accepted a spec with rules of its own.
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
        for name in ["cargo", "gh"] {
            tool(name, &format!("echo {name} \"$@\" >> \"$CALLS\""));
        }
        tool("curl", "echo curl \"$@\" >> \"$CALLS\"");
        for name in ["work", "temp"] {
            fs::create_dir(folder.join(name)).expect("own folder");
        }
        let runner = Self { folder };
        // The page's own spec takes seconds to size; the starter takes as many milliseconds.
        let once = blocks("sh")[0].replace("planner init", "planner init --preset starter");
        let rules = "printf '\\n[gate]\\nfail_on = \"capex>+3%%\"\\n' >> model.toml";
        let once = once.replacen("planner design", &format!("{rules}\nplanner design"), 1);
        runner.passes(&once);
        runner.passes(&format!(
            "{GIT} init -q . && {GIT} init -q --bare ../origin.git && \
             git remote add origin ../origin.git && git add . && {GIT} commit -q -m base && \
             git push -q origin HEAD:main && git fetch -q"
        ));
        runner
    }

    /// Runs a script like a CI runner does; its status and what it printed.
    fn run(&self, script: &str) -> (i32, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let work = self.folder.join("work");
        let done = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(&work)
            .env("PATH", format!("{}:{path}", self.folder.join("tools").display()))
            .env("CALLS", self.folder.join("calls"))
            .env("TMPDIR", self.folder.join("temp"))
            .env("PLANNER_GIT", "https://git.example.com/planner.git")
            .env("GITHUB_STEP_SUMMARY", self.folder.join("summary"))
            .env("RUNNER_TEMP", self.folder.join("temp"))
            .env("PULL_REQUEST", "7")
            .env("PLANNER_TOKEN", "secret")
            .env("CI_API_V4_URL", "https://gitlab.example.com/api/v4")
            .env("CI_PROJECT_DIR", &work)
            .env("CI_PROJECT_ID", "1")
            .env("CI_MERGE_REQUEST_IID", "7")
            .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
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

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join("work").join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_default()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).expect("own folder");
    }

    /// Changes what the target branch has.
    fn on_target(&self, change: impl Fn(&Self)) {
        change(self);
        self.passes(&format!(
            "git add . && {GIT} commit -q -m target && git push -q origin HEAD:main && git fetch -q"
        ));
    }

    /// Every recipe on a pull request that makes this change, each on a runner of its own.
    fn proposed(&self, change: impl Fn(&Self)) -> Vec<Verdict> {
        let start =
            "git checkout -q -f main && git clean -q -f -d -x && git reset -q --hard origin/main";
        self.passes(start);
        change(self);
        self.passes(&format!(
            "git checkout -q -b change && git add -A . && {GIT} commit -q --allow-empty -m change && \
             git push -q -f origin HEAD:refs/pull/7/head"
        ));
        let all = RECIPES.map(|recipe| self.judged(recipe));
        self.passes(&format!("{start} && git branch -q -D change"));
        all.into()
    }

    /// One recipe; what is left of others is taken away before.
    fn judged(&self, recipe: &'static str) -> Verdict {
        for left in ["summary", "temp/comment.md", "temp/model.toml"] {
            // It may not be there.
            drop(fs::remove_file(self.folder.join(left)));
        }
        let (script, comment, branch, written) = match recipe {
            "shell, result" => (blocks("sh")[1].clone(), None, "change", None),
            "shell, spec" => (blocks("sh")[2].clone(), None, "change", None),
            // The checkout is the target branch, as `pull_request_target` has it.
            "github" => {
                (shell(0, "check"), Some(shell(0, "comment")), "main", Some("temp/comment.md"))
            }
            _ => {
                let comment = Some(shell(1, "after_script"));
                (shell(1, "script"), comment, "change", Some("work/comment.md"))
            }
        };
        self.passes(&format!("git checkout -q -f {branch}"));
        let (status, printed) = self.run(&script);
        let comment = comment.map(|comment| {
            self.passes(&comment);
            let written = self.folder.join(written.expect("a recipe that comments writes a file"));
            fs::read_to_string(written).expect("the comment is there in every case")
        });
        self.passes("git clean -q -f -d -x && git checkout -q -f .");
        Verdict { recipe, status, printed, comment }
    }
}

/// All recipes end with one of these, and no comment says PASS.
#[track_caller]
fn stopped(verdicts: &[Verdict], statuses: &[i32]) {
    for verdict in verdicts {
        let (recipe, printed) = (verdict.recipe, &verdict.printed);
        assert!(statuses.contains(&verdict.status), "{recipe}: {}\n{printed}", verdict.status);
        if let Some(comment) = &verdict.comment {
            let says = if verdict.status == 1 { ": FAIL" } else { "# NOT CHECKED" };
            assert!(comment.contains(says) && !comment.contains("PASS"), "{recipe}\n{comment}");
        }
    }
}

/// The change of a pull request: a dearer design, which every rule forbids.
fn twice_the_gpus(runner: &Runner) {
    let spec = runner.read("model.toml").replace("gpus = 256", "gpus = 512");
    runner.write("model.toml", &spec);
}

/// Another text for the rules of the spec.
fn rules(runner: &Runner, text: &str) {
    let spec = runner.read("model.toml");
    let (before, _) = spec.split_once("[gate]").expect("the accepted spec has rules");
    runner.write("model.toml", &format!("{before}{text}"));
}

#[test]
fn every_recipe_passes_what_is_kept_and_stops_what_is_not() {
    let runner = Runner::new("ci-honest");
    for verdict in runner.proposed(|branch_runner| branch_runner.write("README.md", "# words")) {
        assert_eq!(verdict.status, 0, "{}\n{}", verdict.recipe, verdict.printed);
        let passed = |comment: &String| comment.contains("PASS, nothing changed");
        assert!(verdict.comment.as_ref().is_none_or(passed), "{:?}", verdict.comment);
    }
    stopped(&runner.proposed(twice_the_gpus), &[1]);
    // Stricter rules, and more of them, are no cheat.
    let stricter = "[gate]\nfail_on = [\"capex>+1%\", \"mfu<-1%\"]\n";
    for verdict in runner.proposed(|branch_runner| rules(branch_runner, stricter)) {
        assert_eq!(verdict.status, 0, "{}\n{}", verdict.recipe, verdict.printed);
    }
}

#[test]
fn a_base_or_a_policy_of_the_change_is_never_read() {
    let runner = Runner::new("ci-own-base");
    let own_base = runner.proposed(|branch_runner| {
        twice_the_gpus(branch_runner);
        branch_runner.passes("planner design model.toml --format json -o base.json");
    });
    stopped(&own_base, &[1]);
    let own_policy = runner.proposed(|branch_runner| {
        twice_the_gpus(branch_runner);
        branch_runner
            .write("gate.toml", "[gate]\nfail_on = [\"capex>never\", \"step.time_s>never\"]\n");
        branch_runner.write("base.json", "{}");
    });
    stopped(&own_policy, &[1]);
}

#[test]
fn a_spec_can_not_switch_rules_off() {
    let runner = Runner::new("ci-own-rules");
    let all =
        "[gate]\nfail_on = [\"capex>never\", \"step.time_s>never\", \"price_not_found>never\"]\n";
    let never = runner.proposed(|branch_runner| {
        twice_the_gpus(branch_runner);
        rules(branch_runner, all);
    });
    stopped(&never, &[1]);
    // Also where the design is as it was: the rules of the next change would be gone.
    for (text, code) in [
        ("", "removed-rule"),
        ("[gate]\nfail_on = \"capex>never\"\n", "removed-rule"),
        ("[gate]\nfail_on = \"capex>+50%\"\n", "looser-rule"),
        ("[gate]\nwarn_on = \"capex>+3%\"\n", "looser-rule"),
    ] {
        let found = runner.proposed(|branch_runner| rules(branch_runner, text));
        stopped(&found, &[1]);
        assert!(
            found.iter().all(|verdict| verdict.printed.contains(code)),
            "{text}: {}",
            found[0].printed
        );
    }
}

#[test]
fn a_price_can_not_get_lost_or_weaker() {
    let runner = Runner::new("ci-prices");
    let lost = runner.proposed(|branch_runner| {
        // A book that prices no machine and no power.
        let spec = branch_runner
            .read("model.toml")
            .replace("[cluster]", "[cluster]\nprices = \"rail-only-2024\"");
        branch_runner.write("model.toml", &spec);
    });
    stopped(&lost, &[1]);
    assert!(
        lost.iter().all(|verdict| verdict.printed.contains("lost-price")),
        "{}",
        lost[0].printed
    );
    for free in [
        "[prices]\ndgx-h100 = { price = \"$0\", basis = \"included\" }\n",
        "[prices.dgx-h100]\nprice = \"$0\"\nbasis = \"included\"\n",
    ] {
        let found = runner.proposed(|branch_runner| {
            branch_runner
                .write("model.toml", &format!("{}{free}", branch_runner.read("model.toml")))
        });
        stopped(&found, &[1]);
        assert!(
            found.iter().all(|verdict| verdict.printed.contains("free-part (`dgx-h100`)")),
            "{free}"
        );
    }
    let guessed = runner.proposed(|branch_runner| {
        let own =
            "[prices]\ndgx-h100 = { price = \"$309,000\", basis = \"assumed\", date = \"2026\" }\n";
        branch_runner.write("model.toml", &format!("{}{own}", branch_runner.read("model.toml")));
    });
    stopped(&guessed, &[1]);
    assert!(
        guessed.iter().all(|verdict| verdict.printed.contains("weaker-basis")),
        "{}",
        guessed[0].printed
    );
}

#[test]
fn a_changed_question_needs_the_policy() {
    let runner = Runner::new("ci-question");
    let cheaper = |branch_runner: &Runner| {
        let spec = branch_runner.read("model.toml").replace("gpus = 256", "gpus = 128");
        branch_runner.write("model.toml", &spec);
    };
    let found = runner.proposed(cheaper);
    stopped(&found, &[1]);
    let told = "cluster.gpus 256 to 128";
    for verdict in &found {
        assert!(
            verdict.printed.contains("changed-question (`cluster.gpus`)"),
            "{}",
            verdict.printed
        );
        assert!(verdict.comment.as_ref().is_none_or(|comment| comment.contains(told)));
    }
    runner.on_target(|target| {
        let policy = "[gate]\nfail_on = \"capex>+2%\"\nallow = [\"cluster.gpus\", \"prices.*\"]\n";
        target.write("gate.toml", policy);
    });
    for verdict in runner.proposed(cheaper) {
        assert_eq!(verdict.status, 0, "{}\n{}", verdict.recipe, verdict.printed);
    }
    // What may be stated is judged by what main states as well.
    let half_price = runner.proposed(|branch_runner| {
        twice_the_gpus(branch_runner);
        let own =
            "[prices]\ndgx-h100 = { price = \"$100,000\", basis = \"user\", date = \"2026\" }\n";
        branch_runner.write("model.toml", &format!("{}{own}", branch_runner.read("model.toml")));
    });
    stopped(&half_price, &[1]);
    assert!(half_price.iter().all(|verdict| verdict.printed.contains("own-terms (`capex>+2%`)")));
}

#[test]
fn a_link_in_a_change_is_never_followed() {
    let runner = Runner::new("ci-link");
    let found = runner.proposed(|branch_runner| {
        let secret = branch_runner.folder.join("secret");
        fs::write(&secret, "TOKEN=hunter2\n[model]\n").expect("own folder");
        fs::remove_file(branch_runner.path("model.toml")).expect("it was there");
        std::os::unix::fs::symlink(secret, branch_runner.path("model.toml")).expect("own folder");
    });
    stopped(&found, &[2]);
    for verdict in found {
        let comment = verdict.comment.unwrap_or_default();
        assert!(!verdict.printed.contains("hunter2") && !comment.contains("hunter2"));
    }
}

#[test]
fn a_base_that_contradicts_itself_is_refused() {
    let runner = Runner::new("ci-edited-base");
    let edited = |branch_runner: &Runner| {
        let mut base: serde_json::Value =
            serde_json::from_str(&branch_runner.read("base.json")).expect("it is JSON");
        let capex = base["cost"]["capex_usd"].as_f64().expect("a number");
        base["cost"]["capex_usd"] = (2.0 * capex).into();
        branch_runner.write("base.json", &base.to_string());
    };
    runner.on_target(edited);
    let found = runner.proposed(twice_the_gpus);
    let (spec, results): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|verdict| verdict.recipe == "shell, spec");
    stopped(&results, &[2]);
    assert!(results.iter().all(|verdict| verdict.printed.contains("its own parts come to")));
    stopped(&spec, &[1]);
}

#[test]
fn a_run_without_a_verdict_leaves_no_pass() {
    let runner = Runner::new("ci-no-verdict");
    let forged = |branch_runner: &Runner| {
        branch_runner.write("comment.md", "# model.toml: PASS, nothing changed\n")
    };
    let broken = runner.proposed(|branch_runner| {
        branch_runner.write("model.toml", "[modle]\n");
        forged(branch_runner);
    });
    stopped(&broken, &[2]);
    let impossible = runner.proposed(|branch_runner| {
        branch_runner.write(
            "model.toml",
            &format!("{}\n[limits]\nbudget = \"$1\"\n", branch_runner.read("model.toml")),
        );
        forged(branch_runner);
    });
    stopped(&impossible, &[3]);
    let gone = runner.proposed(|branch_runner| {
        fs::remove_file(branch_runner.path("model.toml")).expect("it was there");
        forged(branch_runner);
    });
    stopped(&gone, &[2, 128]);
    // A result in place of the spec could say anything.
    let result = runner.proposed(|branch_runner| {
        branch_runner.write("model.toml", &branch_runner.read("base.json"))
    });
    stopped(&result, &[2]);
}

#[test]
fn the_workflows_install_and_comment() {
    let runner = Runner::new("ci-workflows");
    runner.passes(&shell(0, "install"));
    stopped(&runner.proposed(twice_the_gpus), &[1]);
    let calls = fs::read_to_string(runner.folder.join("calls")).expect("tools were called");
    for call in [
        "cargo install --locked --git https://git.example.com/planner.git",
        "gh pr comment 7 --edit-last --create-if-none --body-file comment.md",
        "body@comment.md",
        "/projects/1/merge_requests/7/notes",
    ] {
        assert!(calls.contains(call), "`{call}` is missing in\n{calls}");
    }
    // The workflow and the checkout are those of the target branch.
    let page = blocks("yaml")[0].clone();
    assert!(page.contains("pull_request_target:") && !page.contains("ref:"), "{page}");
}

#[test]
fn the_rules_of_the_page_are_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    let rules: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let rules: Vec<&str> =
        rules.into_iter().filter(|rule| rule.contains(['>', '<', '~'])).collect();
    assert_eq!(rules.len(), 8, "{rules:?}");
    for rule in rules {
        assert!(planner::gate::Rule::parse(rule).is_ok(), "{rule}");
    }
    let policy = planner::spec::SpecText::new("gate.toml", planner::spec::STARTER_POLICY);
    let (gates, allowed) =
        planner::spec::read_gate(&policy, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((gates.len(), allowed.len()), (7, 0));
}
