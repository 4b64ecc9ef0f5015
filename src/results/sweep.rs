//! Parts of a sweep read back, to be merged. Points, columns and entries are checked against each
//! other, so that what comes out is as sound as what a sweep makes itself.

use serde_json::{Map, Value};

use super::problem::ResultProblem;
use super::read::{object, word};
use crate::sweep::{Axis, Column, Entry, Grid, Outcome, Row, Shard, Sweep};

/// What can be merged.
const SCHEMA: &str = "planner/sweep/1";

/// The sweep, or the part of one, in a file's bytes.
///
/// # Errors
/// Where the bytes are no such thing.
pub fn read_sweep(bytes: &[u8]) -> Result<Sweep, ResultProblem> {
    let root = object(bytes, SCHEMA)?;
    let text = |key: &str| root.get(key).and_then(Value::as_str).ok_or_else(|| refuse(key));
    let grid = Grid::new(axes(&root)?).map_err(|_| refuse("axes"))?;
    let columns: Vec<Column> = words(root.get("columns"))
        .ok_or_else(|| refuse("columns"))?
        .into_iter()
        .map(|key| Column { key })
        .collect();
    let objective = |place: usize| {
        let keys = root.get("objectives").and_then(Value::as_array);
        let key = keys.and_then(|keys| keys.get(place)).and_then(Value::as_str);
        let found = columns.iter().position(|column| Some(column.key.as_str()) == key);
        found.ok_or_else(|| refuse("objectives"))
    };
    let objectives = [objective(0)?, objective(1)?];
    let shard = Shard::parse(text("shard")?).map_err(|_| refuse("shard"))?;
    let points = root.get("points").and_then(Value::as_array).ok_or_else(|| refuse("points"))?;
    let rows = points
        .iter()
        .map(|point| row(point, &columns, grid.points()))
        .collect::<Result<Vec<Row>, ResultProblem>>()?;
    Ok(Sweep {
        name: word(text("name")?),
        origin: word(text("origin")?),
        grid,
        shard,
        columns,
        objectives,
        rows,
    })
}

fn refuse(key: &str) -> ResultProblem {
    ResultProblem::Value { key: key.to_owned() }
}

fn axes(root: &Map<String, Value>) -> Result<Vec<Axis>, ResultProblem> {
    let axes = root.get("axes").and_then(Value::as_array).ok_or_else(|| refuse("axes"))?;
    let axis = |axis: &Value| {
        let key = axis.get("key").and_then(Value::as_str)?;
        Some(Axis { key: word(key), values: words(axis.get("values"))? })
    };
    axes.iter().map(axis).collect::<Option<Vec<_>>>().ok_or_else(|| refuse("axes"))
}

fn words(list: Option<&Value>) -> Option<Vec<String>> {
    list?.as_array()?.iter().map(|text| text.as_str().map(word)).collect()
}

fn row(point: &Value, columns: &[Column], points: usize) -> Result<Row, ResultProblem> {
    let place = point.get("index").and_then(Value::as_u64).and_then(|of| usize::try_from(of).ok());
    let place = place.filter(|place| *place < points).ok_or_else(|| refuse("points.index"))?;
    if let Some(reason) = point.get("impossible").and_then(Value::as_str) {
        return Ok(Row { place, outcome: Outcome::Impossible(reason_of(reason)) });
    }
    let entries = point.get("entries").and_then(Value::as_object);
    let entries = entries.ok_or_else(|| refuse("points.entries"))?;
    let entry = |column: &Column| match entries.get(&column.key) {
        Some(Value::Null) => Ok(Entry::None),
        Some(Value::String(text)) => Ok(Entry::Word(word(text))),
        Some(Value::Number(number)) => match number.as_f64() {
            Some(figure) if figure.is_finite() => Ok(Entry::Figure(figure)),
            _ => Err(refuse("points.entries")),
        },
        _ => Err(refuse("points.entries")),
    };
    let entries = columns.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    Ok(Row { place, outcome: Outcome::Design(entries) })
}

/// A reason may be a sentence or two; what would break a line is taken out of it.
fn reason_of(text: &str) -> String {
    const LONGEST: usize = 2000;
    text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
