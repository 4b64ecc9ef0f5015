//! Techniques that are schedules beside the spec's own schedule, and beside each other.

use crate::support::program::planner_in;
use crate::technique::cli::{close, folder, json_in, number};

/// GPT-3's layers on 64 GPUs with an interleaved schedule; `more` goes on below.
fn interleaved(more: &str) -> String {
    format!(
        r#"
name = "small"
model = {{ preset = "gpt3-175b", layers = 16 }}
training = {{ global_batch = 64, micro_batch = 1, precision = "bf16", recompute = "full", tokens = "1B" }}
parallelism = {{ tensor = 8, pipeline = 4, data = 2, zero = 0, schedule = "interleaved", interleave = 2 }}
cluster = {{ gpus = 64, node = "dgx-h100" }}
{more}
"#
    )
}

/// The ordinary side of a comparison is the spec without the technique, to the byte, whether the
/// spec switches it on or the command.
#[test]
fn a_technique_is_compared_with_the_schedule_of_the_spec() {
    const SIL: &str = "[technique.sil]\naccept_unverified = true";
    let plain = folder("schedule-plain", &interleaved(""));
    let [plain, traffic] = ["step", "traffic"].map(|command| json_in(&plain, &[command]));
    for (name, more, with) in [
        ("schedule-sil", SIL.to_owned(), "sil"),
        ("schedule-recovery", format!("{SIL}\nrecovery = 0.25"), "sil"),
        ("schedule-driven", String::new(), "message_driven"),
    ] {
        let folder = folder(name, &interleaved(&more));
        let both = json_in(&folder, &["compare", "--with", with]);
        for (path, value) in [
            ("step.time_s", &plain),
            ("traffic.total_bytes", &traffic),
            ("layout.interleave", &plain),
        ] {
            let without = number(&both["cases"][0], path);
            assert_eq!(without, number(value, path), "{name}: {path}");
        }
        assert_eq!(both["cases"][0]["layout"]["schedule"], "interleaved", "{name}");
    }
}

/// A run with recovery takes the ordinary step for the share of samples that the whole network sees
/// and a step of the stages by themselves for the rest: between the two, and no longer than the
/// ordinary run.
#[test]
fn recovery_is_a_share_of_the_ordinary_run() {
    let sil = |recovery: f64| {
        let table = format!("[technique.sil]\naccept_unverified = true\nrecovery = {recovery}");
        let name = format!("recovery-{recovery}");
        json_in(&folder(&name, &interleaved(&table)), &["step"])
    };
    let plain =
        number(&json_in(&folder("recovery-plain", &interleaved("")), &["step"]), "step.time_s");
    let alone = number(&sil(0.0), "step.time_s");
    assert!(alone < plain, "{alone} {plain}");
    for share in [0.25, 1.0] {
        let value = sil(share);
        close("the step to design for", number(&value, "step.time_s"), plain, 1e-9);
        let run: f64 = [0, 1]
            .map(|phase| {
                number(&value, &format!("phases.{phase}.share_of_steps"))
                    * number(&value, &format!("phases.{phase}.step_time_s"))
            })
            .into_iter()
            .sum();
        close("the run", run, (1.0 - share) * alone + share * plain, 1e-9);
    }
    let text = planner_in(
        &folder(
            "recovery-text",
            &interleaved("[technique.sil]\naccept_unverified = true\nrecovery = 0.25"),
        ),
        &["step"],
    );
    let line = text.stdout.lines().find(|line| line.contains("RUN  the run takes"));
    let share: f64 = line
        .and_then(|line| line.split_whitespace().nth(4)?.parse().ok())
        .unwrap_or_else(|| panic!("{}", text.stdout));
    let expected = 100.0 * (0.75 * alone / plain + 0.25);
    assert!((share - expected).abs() < 0.06, "{share} {expected}");
}

/// Every level of the cycle is trained in both phases: five phases become ten shares of the run.
#[test]
fn recovery_goes_into_every_level_of_the_cycle() {
    let more = "[technique.multilevel]\n[technique.sil]\naccept_unverified = true\nrecovery = 0.25";
    let both = json_in(&folder("levels-recovery", &interleaved(more)), &["step"]);
    let alone = "[technique.multilevel]";
    let levels = json_in(&folder("levels-alone", &interleaved(alone)), &["step"]);
    let count = |value: &serde_json::Value| value["phases"].as_array().map_or(0, Vec::len);
    assert_eq!((count(&levels), count(&both)), (3, 6));
    for level in 0..3 {
        let share = |value, phase: usize| number(value, &format!("phases.{phase}.share_of_steps"));
        let time = |value, phase: usize| number(value, &format!("phases.{phase}.step_time_s"));
        let whole = share(&levels, level);
        close("stages by themselves", share(&both, 2 * level), 0.75 * whole, 1e-9);
        close("the whole network", share(&both, 2 * level + 1), 0.25 * whole, 1e-9);
        close("its step", time(&both, 2 * level + 1), time(&levels, level), 1e-9);
        assert!(time(&both, 2 * level) < time(&levels, level));
    }
}

/// A stated schedule and a technique that is another one contradict each other.
#[test]
fn message_driven_stages_refuse_a_stated_schedule() {
    for (name, own) in [
        ("driven-interleave", "interleave = 2"),
        ("driven-schedule", "schedule = \"gpipe\""),
        ("driven-1f1b", "schedule = \"1f1b\""),
    ] {
        let spec = interleaved("[technique.message_driven]")
            .replace("schedule = \"interleaved\", interleave = 2", own);
        let run = planner_in(&folder(name, &spec), &["step"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("technique.message_driven"), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("--with message_driven"), "{name}: {}", run.stderr);
    }
    for (name, own) in [
        ("driven-alone", "order = \"tp-cp-ep-dp-pp\""),
        ("driven-twice", "schedule = \"message-driven\", interleave = 1"),
    ] {
        let spec = interleaved("[technique.message_driven]")
            .replace("schedule = \"interleaved\", interleave = 2", own);
        let run = planner_in(&folder(name, &spec), &["step"]);
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
    }
}

/// What gives way to a technique's schedule is said.
#[test]
fn a_schedule_that_gives_way_is_named() {
    let folder = folder("gives-way", &interleaved(""));
    let run = planner_in(&folder, &["compare", "--with", "message_driven", "--all"]);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "`message-driven` in place of the spec's `interleaved` with 2 virtual stages";
    assert!(text.contains(words), "{}", run.stdout);
}
