//! The results of several clusters as one: each as it is alone, under its name.

use super::super::sheet::ClusterSheets;
use crate::design::ClusterName;

/// An object with a list of what `json` writes of each: `parts`, each with the `workload` that has
/// it, or `stages`, each with its `stage` and `year`; before it `whole`, a value of all, where there is
/// one.
pub(in super::super) fn clusters_json<T>(
    sheets: &ClusterSheets<'_, T>,
    json: impl Fn(&T) -> String,
    whole: Option<&str>,
) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let entry = |(name, sheet): &(&ClusterName, T)| {
        let name = match name {
            ClusterName::Whole => String::new(),
            ClusterName::Part(workload) => format!("\"workload\": {}, ", text(workload)),
            ClusterName::Stage { number, year } => {
                format!(
                    "\"stage\": {number}, \"year\": {}, ",
                    super::super::number::exact_number(*year)
                )
            }
        };
        // Texts of JSON hold no line breaks, so that lines can be moved as they are.
        format!("    {{{name}\"result\": {}}}", json(sheet).trim_end().replace('\n', "\n    "))
    };
    let each: Vec<String> = sheets.each.iter().map(entry).collect();
    let list = if sheets.is_staged() { "stages" } else { "parts" };
    let name = text(sheets.name);
    let each = each.join(",\n");
    let moved = |value: &str| value.trim_end().replace('\n', "\n  ");
    let whole = whole.map_or_else(String::new, |word| format!("  \"whole\": {},\n", moved(word)));
    format!(
        "{{\n  \"schema\": \"planner/clusters/1\",\n  \"name\": {name},\n{whole}  \"{list}\": [\n{each}\n  \
         ]\n}}\n"
    )
}
