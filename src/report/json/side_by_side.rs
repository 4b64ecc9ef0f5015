//! `planner compare` of several files as programs read it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::number::exact_number;
use super::super::sheet::SideBySide;
use crate::gate::Snapshot;

#[derive(Serialize)]
struct SideBySideJson {
    schema: &'static str,
    designs: Vec<DesignColumn>,
}

#[derive(Serialize)]
struct DesignColumn {
    file: String,
    name: String,
    figures: Map<String, Value>,
}

/// The designs as pretty JSON: figures by their dotted keys.
pub(in super::super) fn side_by_side(sheet: &SideBySide<'_>) -> String {
    let value =
        |snapshot: &Snapshot, key: &str| match (snapshot.words.get(key), snapshot.figures.get(key))
        {
            (Some(word), _) => json!(word),
            (None, Some(figure)) => json!(exact_number(*figure)),
            (None, None) => Value::Null,
        };
    let design = |(file, snapshot): &(&str, &Snapshot)| DesignColumn {
        file: (*file).to_owned(),
        name: snapshot.name.clone(),
        figures: sheet
            .figure_rows()
            .map(|row| (row.key.to_owned(), value(snapshot, row.key)))
            .collect(),
    };
    super::write(&SideBySideJson {
        schema: "planner/side-by-side/1",
        designs: sheet.all.iter().map(design).collect(),
    })
}
