//! Parts of a sweep read back, to be merged. Points, columns and entries are checked against each
//! other, so that what comes out is as sound as what a sweep makes itself.

use serde_json::{Map, Value};

use super::problem::{ResultProblem, sanitize_word};
use super::read::read_object;
use crate::quantity::quantity_for_key;
use crate::sweep::{
    BetterDirection, Grid, Outcome, Shard, Sweep, SweepAxis, SweepColumn, SweepEntry,
    SweepObjective, SweepOrigin, SweepRow,
};
use crate::units::parse::strip_control_characters;

/// What can be merged.
const SCHEMA: &str = "planner/sweep/1";

/// The sweep, or the part of one, in a file's bytes.
///
/// # Errors
/// Where the bytes are no such thing.
pub fn read_sweep(bytes: &[u8]) -> Result<Sweep, ResultProblem> {
    let root = read_object(bytes, SCHEMA)?;
    let text = |key: &str| root.get(key).and_then(Value::as_str).ok_or_else(|| key_problem(key));
    let told = |key| text(key).map(sanitize_word).map_err(|_| ResultProblem::Untold);
    let origin = SweepOrigin {
        planner: told("planner")?,
        build: told("build")?,
        catalogue: told("catalogue")?,
        question: sanitize_word(text("origin")?),
    };
    let grid = Grid::new(read_axes(&root)?).map_err(|_| key_problem("axes"))?;
    let columns: Vec<SweepColumn> = read_words(root.get("columns"))
        .ok_or_else(|| key_problem("columns"))?
        .into_iter()
        .map(|key| SweepColumn { key })
        .collect();
    let listed = |key: &str, place: usize| {
        let list = root.get(key).and_then(Value::as_array);
        list.and_then(|list| list.get(place))
            .and_then(Value::as_str)
            .ok_or_else(|| key_problem(key))
    };
    let objective = |place: usize| {
        let key = listed("objectives", place)?;
        let column = columns.iter().position(|column| column.key == key);
        Ok::<_, ResultProblem>(SweepObjective {
            column: column.ok_or_else(|| key_problem("objectives"))?,
            sense: BetterDirection::parse(listed("senses", place)?)
                .ok_or_else(|| key_problem("senses"))?,
        })
    };
    let objectives = [objective(0)?, objective(1)?];
    let shard = Shard::parse(text("shard")?).map_err(|_| key_problem("shard"))?;
    let points =
        root.get("points").and_then(Value::as_array).ok_or_else(|| key_problem("points"))?;
    let rows = points
        .iter()
        .map(|point| read_row(point, &columns, &grid, shard))
        .collect::<Result<Vec<SweepRow>, ResultProblem>>()?;
    Ok(Sweep { name: sanitize_word(text("name")?), origin, grid, shard, columns, objectives, rows })
}

fn key_problem(key: &str) -> ResultProblem {
    ResultProblem::Value { key: key.to_owned() }
}

fn read_axes(root: &Map<String, Value>) -> Result<Vec<SweepAxis>, ResultProblem> {
    let axes = root.get("axes").and_then(Value::as_array).ok_or_else(|| key_problem("axes"))?;
    let axis = |axis: &Value| {
        let key = axis.get("key").and_then(Value::as_str)?;
        let values = axis.get("values")?.as_array()?;
        let values =
            values.iter().map(|text| text.as_str().map(single_line)).collect::<Option<_>>()?;
        Some(SweepAxis { key: sanitize_word(key), values })
    };
    axes.iter().map(axis).collect::<Option<Vec<_>>>().ok_or_else(|| key_problem("axes"))
}

fn read_words(list: Option<&Value>) -> Option<Vec<String>> {
    list?.as_array()?.iter().map(|text| text.as_str().map(sanitize_word)).collect()
}

/// A point: one of the shard's, with the values that the grid has there, and either a design or the
/// reason why there is none.
fn read_row(
    point: &Value,
    columns: &[SweepColumn],
    grid: &Grid,
    shard: Shard,
) -> Result<SweepRow, ResultProblem> {
    let place =
        point.get("index").and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    let place = place
        .filter(|place| *place < grid.point_count() && shard.has_point(*place))
        .ok_or_else(|| key_problem("points.index"))?;
    let at = |key: &str| format!("points, index {place}: {key}");
    let values = point.get("values").and_then(Value::as_object);
    let asked = grid.axes().iter().zip(grid.point_values(place)).all(|(axis, value)| {
        let said = values.and_then(|table| table.get(&axis.key)).and_then(Value::as_str);
        said.is_some_and(|said| single_line(said) == value)
    });
    if !asked {
        return Err(key_problem(&at("values")));
    }
    let outcome = match (point.get("impossible"), point.get("entries")) {
        (Some(Value::String(reason)), None) => Outcome::Impossible(single_line(reason)),
        (None, Some(Value::Object(entries))) => {
            let entry = |column: &SweepColumn| {
                entries
                    .get(&column.key)
                    .and_then(|value| read_entry(&column.key, value))
                    .ok_or_else(|| key_problem(&at(&column.key)))
            };
            Outcome::Design(columns.iter().map(entry).collect::<Result<_, _>>()?)
        }
        _ => return Err(key_problem(&at("entries"))),
    };
    Ok(SweepRow { place, outcome })
}

/// What a design says under a key; `None` where no design can.
fn read_entry(key: &str, value: &Value) -> Option<SweepEntry> {
    let row = quantity_for_key(key);
    let figure = row.filter(|quantity| quantity.unit.is_number());
    match value {
        Value::Null => row.is_none_or(|quantity| !quantity.always).then_some(SweepEntry::None),
        Value::String(text) => figure.is_none().then(|| SweepEntry::Word(sanitize_word(text))),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| figure.is_some() && number.is_finite())?;
            let most = figure.and_then(|quantity| quantity.most).unwrap_or(f64::MAX);
            (0.0..=most).contains(&number).then_some(SweepEntry::Figure(number))
        }
        _ => None,
    }
}

/// A sentence or two on one line: a reason, or a value as it was typed.
fn single_line(text: &str) -> String {
    const LONGEST: usize = 2000;
    strip_control_characters(&text.chars().take(LONGEST).collect::<String>())
}
