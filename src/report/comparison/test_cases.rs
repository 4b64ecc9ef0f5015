//! A check as test cases in JUnit's XML, as GitLab, Jenkins and others read them: one for each rule
//! and for each finding.

use crate::gate::{Judged, Verdict};
use crate::report::picture::escape_xml;
use crate::report::sheet::{CheckSheet, finding_text};
use crate::report::table::figure_text;

/// The test cases, with a line break at their end. A rule that only warns passes.
#[must_use]
pub fn check_test_cases(sheet: &CheckSheet<'_>) -> String {
    let report = sheet.report;
    let rules = report.rules.iter().map(|judged| {
        let failure = (judged.verdict == Verdict::Fail).then(|| moved_figure_text(judged));
        test_case("rule", &judged.gate.rule.to_string(), failure.as_deref())
    });
    let findings = report.findings.iter().map(|found| {
        let text = finding_text(&found.finding);
        let failure = (found.verdict == Verdict::Fail).then_some(text.as_str());
        test_case(found.finding.code(), found.finding.subject(), failure)
    });
    let cases: Vec<String> = rules.chain(findings).collect();
    let failures = cases.iter().filter(|case| case.contains("<failure")).count();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}: {} against \
         {}\" tests=\"{}\" failures=\"{failures}\">\n{}</testsuite>\n</testsuites>\n",
        escape_xml(&report.name),
        escape_xml(sheet.new),
        escape_xml(sheet.old),
        cases.len(),
        cases.concat()
    )
}

fn test_case(class: &str, name: &str, failure: Option<&str>) -> String {
    let head = format!("<testcase classname=\"{class}\" name=\"{}\"", escape_xml(name));
    match failure {
        Some(text) => {
            format!("{head}><failure message=\"{}\"/></testcase>\n", escape_xml(text))
        }
        None => format!("{head}/>\n"),
    }
}

fn moved_figure_text(judged: &Judged) -> String {
    let text = |value: Option<f64>| {
        value.map_or("no value".to_owned(), |value| figure_text(judged.unit, value))
    };
    format!("{} {} to {}", judged.key, text(judged.old), text(judged.new))
}
