//! Pages of `--format html`: well-formed, whole in themselves, safe whatever a name holds, with
//! pictures that show something and a structure that a keyboard and a screen reader can walk.
//! What only a browser can tell is asked in `tests/browser/check.mjs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::pages::html::{Element, elements};
use planner::report::{self, Detail, Format, RenderOptions};

use crate::support::program::{fresh_folder, planner_in};

const HTML: RenderOptions<'_> =
    RenderOptions { format: Format::Html, colour: false, detail: Detail::Usual };

const SPECS: [&str; 5] = [
    "starter",
    "gpt3-175b-a100-1536",
    "gpt-1t-h100-32768",
    "llama3-405b-h100-16384",
    "deepseek-v3-h800-2048",
];

/// Interfaces to choose from: a frontier of several designs.
const NICS: &str = "cluster.nic=[\"edr-100g\",\"hdr-200g\",\"ndr-400g\"]";

/// Every command that has a page, with the least number of pictures on it.
const OTHERS: [(&[&str], usize); 14] = [
    (&["design", "two-stages"], 7),
    (&["design", "two-products"], 8),
    (&["design", "starter", "--pareto", "--sensitivity", "--set", NICS], 10),
    (&["sweep", "starter", "--vary", "cluster.gpus=512,1024"], 2),
    (
        &[
            "sweep",
            "starter",
            "--vary",
            "cluster.gpus=512,1024",
            "--vary",
            "cluster.max_planes=1,2",
        ],
        1,
    ),
    (&["step", "gpt3-175b-a100-1536"], 2),
    (&["traffic", "deepseek-v3-h800-2048"], 2),
    (&["search", "starter"], 1),
    (&["explain", "starter"], 0),
    (&["explain", "starter", "step.time_s"], 0),
    (&["topology", "gpt3-175b-a100-1536"], 0),
    (&["fabric", "clos", "--endpoints", "1024", "--radix", "64"], 0),
    (&["validate"], 1),
    (&["presets", "show", "dgx-h100"], 0),
];

fn page(arguments: &[&str]) -> String {
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let name: String = arguments.join("-").chars().filter(plain).collect();
    let folder = fresh_folder(&format!("page-{name}"));
    let done = planner_in(&folder, &[arguments, &["--format", "html"]].concat());
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{arguments:?}");
    done.stdout
}

/// What is wrong with a page.
fn faults(page: &str) -> Vec<String> {
    let all = match elements(page) {
        Ok(all) => all,
        Err(fault) => return vec![fault],
    };
    let mut faults = Vec::new();
    let ids: Vec<&str> = all.iter().filter_map(|element| element.attribute("id")).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    if unique.len() != ids.len() {
        faults.push("an id twice".to_owned());
    }
    for element in &all {
        faults.extend(fault(element, &unique).map(|fault| format!("<{}>: {fault}", element.name)));
    }
    let count = |name: &str| all.iter().filter(|element| element.name == name).count();
    for name in ["html", "head", "body", "h1", "main"] {
        if count(name) != 1 {
            faults.push(format!("{} of <{name}>", count(name)));
        }
    }
    for picture in all.iter().filter(|element| element.name == "svg") {
        let marks = ["rect", "path", "circle", "text"]
            .map(|name| picture.inner.matches(&format!("<{name} ")).count());
        if marks.iter().sum::<usize>() < 3 {
            faults.push("a picture that shows nothing".to_owned());
        }
    }
    faults.extend(
        ["url(", "@import", "javascript:"]
            .iter()
            .filter(|text| page.contains(**text))
            .map(|text| format!("`{text}`")),
    );
    faults
}

/// What is wrong with one element: what loads, runs, leads nowhere or names nothing.
fn fault(element: &Element<'_>, ids: &BTreeSet<&str>) -> Option<String> {
    const FORBIDDEN: [&str; 9] =
        ["script", "img", "iframe", "object", "embed", "base", "form", "image", "use"];
    if FORBIDDEN.contains(&element.name) {
        return Some("has no place on a page".to_owned());
    }
    for (name, value) in &element.attributes {
        let leads = match *name {
            "href" => {
                value.strip_prefix('#').is_some_and(|id| ids.contains(id)) || *value == "data:,"
            }
            "aria-labelledby" | "aria-describedby" => value.split(' ').all(|id| ids.contains(id)),
            "src" | "srcset" | "style" => false,
            "xmlns" => *value == "http://www.w3.org/2000/svg",
            name => !name.starts_with("on") && !value.contains("://"),
        };
        if !leads {
            return Some(format!("{name}=\"{value}\""));
        }
    }
    match element.name {
        "th" if element.attribute("scope").is_none() => Some("a heading of no scope".to_owned()),
        "svg" if element.attribute("role") != Some("img") => Some("no role".to_owned()),
        "section" if element.attribute("aria-labelledby").is_none() => Some("no name".to_owned()),
        "title" | "desc" | "h1" | "h2" | "caption" if element.inner.trim().is_empty() => {
            Some("empty".to_owned())
        }
        _ => None,
    }
}

#[track_caller]
fn sound(page: &str, least_pictures: usize, what: &str) {
    let faults = faults(page);
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
    let pictures = page.matches("<svg ").count();
    assert!(pictures >= least_pictures, "{what}: {pictures} pictures");
}

#[test]
fn the_page_of_every_ready_spec_is_sound() {
    for spec in SPECS {
        sound(&page(&["design", spec]), 9, spec);
    }
}

#[test]
fn a_comparison_has_a_page() {
    sound(&page(&["compare", "llama3-405b-h100-16384"]), 4, "compare");
    sound(&page(&["compare", "two-stages"]), 10, "compare stages");
}

#[test]
fn every_other_page_is_sound() {
    for (arguments, pictures) in OTHERS {
        sound(&page(arguments), pictures, &arguments.join(" "));
    }
}

#[test]
fn a_check_has_a_page_that_shows_what_changed() {
    let folder = fresh_folder("page-check");
    let base = ["design", "starter", "--format", "json", "-o", "base.json"];
    assert_eq!(planner_in(&folder, &base).status, 0);
    let check = |more: &[&str]| {
        let arguments = [&["check", "starter", "--against", "base.json"][..], more].concat();
        planner_in(&folder, &[&arguments[..], &["--format", "html"]].concat()).stdout
    };
    let dearer = check(&["--set", "cluster.gpus=512", "--warn-on", "capex>+2%"]);
    sound(&dearer, 1, "a check");
    let verdict = "<dt>Verdict</dt><dd><strong class=\"warn\">WARN</strong></dd>";
    for fact in [verdict, "What changed capex by +$", ", by quantity"] {
        assert!(dearer.contains(fact), "`{fact}` is missing");
    }
    sound(&check(&["--fail-on", "capex>+0%"]), 0, "a check of the same");
}

#[test]
fn whatever_a_name_holds_stays_text() {
    let evil = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u{0}\u{202e}`]]>";
    let mut plan = crate::pages::plan::plan();
    plan.name = evil.into();
    plan.nodes.node.name = evil.into();
    plan.nodes.nic.name = evil.into();
    for line in &mut plan.bill {
        line.part = evil.into();
        if let Some(price) = &mut line.unit {
            (price.date, price.source) = (evil.into(), evil.into());
        }
    }
    plan.fabric.tiers.iter_mut().for_each(|tier| tier.model = evil.into());
    plan.alternatives.iter_mut().for_each(|alternative| alternative.name = evil.into());
    plan.assumptions.iter_mut().for_each(|assumption| assumption.text = evil.into());
    plan.cost.unpriced = vec![evil.into()];
    plan.solver.binding.iter_mut().for_each(|limit| limit.limit = evil.into());
    let page = report::render_design(&plan, HTML);
    sound(&page, 4, "a plan of evil names");
    assert!(page.contains("&lt;script&gt;alert(1)"), "the name is still shown");
    assert!(!page.contains("<script") && !page.contains("<img"));
}

#[test]
fn the_checks_can_fail() {
    let good = report::render_design(&crate::pages::plan::plan(), HTML);
    assert_eq!(faults(&good), Vec::<String>::new());
    for (old, new) in [
        ("</h1>", ""),
        ("<main ", "<script>x</script><main "),
        ("<main ", "<img alt=\"\"/><main "),
        ("<main ", "<main onload=\"x\" "),
        ("href=\"#content\"", "href=\"#nowhere\""),
        ("href=\"data:,\"", "href=\"https://example.org/icon\""),
        (" scope=\"col\"", ""),
        (" role=\"img\"", ""),
        ("</style>", "@import 'x';</style>"),
        ("<h2 ", "<p>&nbsp</p><h2 "),
    ] {
        let bad = good.replacen(old, new, 1);
        assert_ne!(bad, good, "`{old}` is on the page");
        assert_ne!(faults(&bad), Vec::<String>::new(), "`{old}` as `{new}` goes unseen");
    }
}

/// Where this fails because the page was meant to change: run it once with `BLESS=1`, and read
/// what it wrote.
#[test]
fn the_outline_of_a_page_is_as_it_was() {
    let page = page(&["design", "gpt3-175b-a100-1536"]);
    let all = elements(&page).expect("it is well-formed");
    let outline: String = all
        .iter()
        .filter_map(|element| {
            let depth = match element.name {
                "h1" => "",
                "h2" => "  ",
                "caption" => "    table: ",
                "summary" => "    folds: ",
                "dt" => "    figure: ",
                "figcaption" => "    picture: ",
                _ => return None,
            };
            // Notes of a picture are not its name.
            let name = element.inner.split("</strong>").next().unwrap_or_default();
            Some(format!("{depth}{}\n", without_numbers(&crate::pages::html::text(name))))
        })
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/page_outline.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &outline).expect("the outline can be written");
    }
    let known = fs::read_to_string(&path).expect("there is an outline");
    assert_eq!(outline, known);
}

/// The text with one sign for every number: a price that changes is no other outline.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            '.' | ',' if out.ends_with('#') => {}
            other => out.push(other),
        }
    }
    out
}
