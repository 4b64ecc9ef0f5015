//! Parts of the pages in `docs/` that tests write: what stands between `<!-- NAME -->` and
//! `<!-- end of NAME -->`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Some pages have several parts, whose tests run side by side.
static WRITING: Mutex<()> = Mutex::new(());

fn page_path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page)
}

/// A page before, in and after a part of it.
fn split_page(page: &str, name: &str) -> [String; 3] {
    let text = fs::read_to_string(page_path(page)).expect("there is such a page");
    let found = text.split_once(&format!("<!-- {name} -->\n")).and_then(|(before, rest)| {
        let (part, after) = rest.split_once(&format!("<!-- end of {name} -->"))?;
        Some([before, part, after].map(str::to_owned))
    });
    found.unwrap_or_else(|| panic!("docs/{page} has no part `{name}`"))
}

/// That part as it stands.
pub(crate) fn shown_part(page: &str, name: &str) -> String {
    let [_, part, _] = split_page(page, name);
    part
}

/// Holds the part to what a test makes of it; with `BLESS=1` it is written.
#[track_caller]
pub(crate) fn hold_part(page: &str, name: &str, made: &str) {
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let [before, part, after] = split_page(page, name);
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{before}<!-- {name} -->\n{made}<!-- end of {name} -->{after}");
        fs::write(page_path(page), text).expect("the page can be written");
        return;
    }
    assert_eq!(part, made, "`{name}` of docs/{page}: `BLESS=1` of this test writes it");
}
