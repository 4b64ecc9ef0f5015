//! Pictures of the guide are what their commands draw today. Also: every link from one page of the
//! documentation to another leads somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::{fresh_folder, planner_in};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where this fails because a picture was meant to change: run it once with `BLESS=1`, and look
/// at what it drew.
#[test]
fn pictures_are_what_their_commands_draw() {
    let folder = fresh_folder("pictures");
    let page = fs::read_to_string(root().join("docs/guide.md")).expect("there is a guide");
    let commands = page.lines().filter_map(|line| line.strip_prefix("planner "));
    let mut pictures = 0;
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some(name) = words.last().filter(|name| name.ends_with(".svg")) else { continue };
        let done = planner_in(&folder, &words);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{command}");
        let drawn = fs::read_to_string(folder.join(name)).expect("the command wrote it");
        let kept = root().join("docs/pictures").join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&kept, &drawn).expect("the picture can be written");
        }
        let known = fs::read_to_string(&kept).expect("there is a picture");
        assert!(drawn == known, "`docs/pictures/{name}` is not what `planner {command}` draws");
        assert!(page.contains(&format!("](pictures/{name})")), "{name} is not shown");
        pictures += 1;
    }
    assert!(pictures >= 5, "only {pictures} pictures were found");
}

/// Targets of links within the project, without their anchors.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

/// Links of a page that lead nowhere.
fn broken(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("the page is text");
    let folder = page.parent().expect("a page is in a folder");
    let gone = |target: &&str| !folder.join(target).exists();
    links(&text)
        .into_iter()
        .filter(gone)
        .map(|name| format!("{}: {name}", page.display()))
        .collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name)).to_vec();
    for entry in fs::read_dir(root().join("docs")).expect("there are docs") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|str| str == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    let broken: Vec<String> = pages.iter().flat_map(|page| broken(page)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert_eq!(links("[a](b.md#c) ![d](e.svg) [f](https://g)"), ["b.md", "e.svg"]);
}
