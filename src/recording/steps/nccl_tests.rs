//! Reads the tables that nccl-tests and rccl-tests print, of any version, whatever a launcher puts
//! before each line. Says what was measured on which ranks; what machines those are is the spec's
//! business.

use std::collections::{BTreeMap, BTreeSet};

use super::table::StepsProblem;
use crate::recording::RecordingFile;
use crate::step::Operation;
use crate::units::{Bytes, Seconds};

/// Words in the names of tests, of a program or a file, and the operations that they time.
const TESTS: [(&str, Operation); 5] = [
    ("all_reduce", Operation::AllReduce),
    ("all_gather", Operation::AllGather),
    ("reduce_scatter", Operation::ReduceScatter),
    ("alltoall", Operation::AllToAll),
    ("sendrecv", Operation::Send),
];
/// How the tests call the formats of numbers.
const FORMATS: [&str; 14] = [
    "int8", "uint8", "int32", "uint32", "int64", "uint64", "half", "float", "double", "bfloat16",
    "f8e4m3", "f8e5m2", "fp8_e4m3", "fp8_e5m2",
];
/// Share by which rates that are printed may differ from what the row says of them, and what two
/// decimals may add, GB/s.
const ROUNDING: f64 = 0.02;
const DECIMALS: f64 = 0.01;

/// A table of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestTable {
    /// Where its header stands: `line 12`.
    pub place: String,
    /// What it times; `None` where that is no operation of a step.
    pub operation: Option<Operation>,
    /// GPUs that took part.
    pub ranks: u32,
    /// Hosts that they are in; `None` where the log does not have all ranks.
    pub hosts: Option<u32>,
    /// HB domains, as a line `# domains=2` states them.
    pub domains: Option<u32>,
    /// What the GPUs call themselves; empty where the log has no rank.
    pub gpu: String,
    pub calls: Vec<TestedCall>,
    /// Rows that are cut, or whose numbers contradict each other.
    pub unread: usize,
}

/// A row: what was measured out of place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestedCall {
    /// The size as the tests count it: of reductions and gathers the whole vector.
    pub bytes: Bytes,
    pub time: Seconds,
    /// The result was wrong.
    pub is_wrong: bool,
    /// Bus over algorithm bandwidth; `None` where the call is too small to tell.
    bus_share: Option<f64>,
    /// It sums, and no rank is the root.
    sums: bool,
    has_root: bool,
}

/// Places of columns, counted from that of the size.
struct Columns {
    format: usize,
    sums: Option<usize>,
    root: Option<usize>,
    time: usize,
    rate: usize,
    bus_rate: usize,
    wrong: Option<usize>,
}

/// A table while its lines are read.
#[derive(Default)]
struct TableInProgress {
    /// Line of its header, from 1.
    line: usize,
    /// Operations of the tests that are named before it.
    named: Vec<Operation>,
    hosts: BTreeMap<u32, String>,
    groups: BTreeSet<String>,
    repeats_ranks: bool,
    gpu: String,
    ranks: Option<u32>,
    domains: Option<u32>,
    columns: Option<Columns>,
    calls: Vec<TestedCall>,
    unread: usize,
}

/// Whether a file has such a table.
#[must_use]
pub fn is_nccl_tests_log(source: &RecordingFile) -> bool {
    String::from_utf8_lossy(&source.bytes).lines().any(|line| read_columns(line).is_some())
}

/// The tables of a log that have rows.
///
/// # Errors
/// A table of which the log does not say what it times or who took part, with its line.
pub fn read_test_tables(source: &RecordingFile) -> Result<Vec<TestTable>, StepsProblem> {
    let text = String::from_utf8_lossy(&source.bytes);
    let (mut done, mut open) = (Vec::new(), TableInProgress::default());
    // What is said after rows is of the next table, or of nothing.
    let mut next: Option<TableInProgress> = None;
    for (at, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(columns) = read_columns(line) {
            if let Some(next) = next.take() {
                done.push(std::mem::replace(&mut open, next));
            }
            // Processes that print one after the other repeat it.
            (open.line, open.columns) = (at + 1, Some(columns));
        } else if let Some(row) = find_row(&words) {
            let Some(columns) = &open.columns else {
                let reason = "a row without the line `# size count type ...` above it";
                let hint = "give the log as it was printed";
                let problem = StepsProblem::for_test(at + 1, reason, hint);
                return Err(problem.with_file_name(&source.name));
            };
            match columns.read_row(&words[row..]) {
                Some(call) => open.calls.push(call),
                None => open.unread += 1,
            }
        } else if line.contains(BROKEN_RUN) && !open.has_rows() {
            open = TableInProgress::default();
        } else if is_header_line(line) {
            let table = if open.has_rows() { next.get_or_insert_default() } else { &mut open };
            table.read_header_line(line, &words);
        }
    }
    done.push(open);
    let name = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let tables =
        done.into_iter().filter(TableInProgress::has_rows).map(|table| table.finish_table(name));
    tables.collect::<Result<_, _>>().map_err(|problem| problem.with_file_name(&source.name))
}

/// What nccl-tests print where a run ends before its table does.
const BROKEN_RUN: &str = "Test NCCL failure";

/// A line that belongs above a table.
fn is_header_line(line: &str) -> bool {
    let tells = ["_perf", "nThread", "Using devices", " Pid ", "ranks=", "domains="];
    let others = ["NCCL INFO", "NCCL WARN", "test concluded"];
    tells.iter().any(|word| line.contains(word)) && !others.iter().any(|word| line.contains(word))
}

fn read_columns(line: &str) -> Option<Columns> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let size = words.iter().position(|word| word.trim_start_matches('#') == "size")?;
    let names = &words[size + 1..];
    let place = |name: &str| names.iter().position(|word| *word == name).map(|place| place + 1);
    Some(Columns {
        format: place("type")?,
        sums: place("redop"),
        root: place("root"),
        time: place("time")?,
        rate: place("algbw")?,
        bus_rate: place("busbw")?,
        wrong: place("#wrong"),
    })
}

/// Where in a line a row begins: a size, a count and a format.
fn find_row(words: &[&str]) -> Option<usize> {
    let is_number = |word: &str| {
        let digits = word.rsplit(':').next().unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let begins =
        |three: &[&str]| is_number(three[0]) && is_number(three[1]) && FORMATS.contains(&three[2]);
    words.windows(3).position(begins)
}

impl Columns {
    /// `None` where a field is missing, is no number, or contradicts another.
    fn read_row(&self, fields: &[&str]) -> Option<TestedCall> {
        let number = |place: usize| {
            let value: f64 = fields.get(place)?.parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        let bytes: u64 = fields.first()?.rsplit(':').next()?.parse().ok()?;
        let (micros, rate, bus_rate) =
            (number(self.time)?, number(self.rate)?, number(self.bus_rate)?);
        let told = bytes as f64 / micros / 1e3;
        if !told.is_finite() {
            return None;
        }
        if self.format != 2 || micros <= 0.0 || (told - rate).abs() > ROUNDING * told + DECIMALS {
            return None;
        }
        let field = |place: Option<usize>| place.map(|place| fields.get(place).copied());
        let wrong = field(self.wrong).unwrap_or(Some("0"))?;
        Some(TestedCall {
            bytes: Bytes::new(bytes.into()),
            time: Seconds::from_micros(micros),
            is_wrong: wrong != "N/A" && wrong.parse() != Ok(0.0),
            bus_share: (rate > 1.0).then(|| bus_rate / rate),
            sums: field(self.sums).flatten().is_some_and(|word| word != "none"),
            has_root: field(self.root).flatten().is_some_and(|word| word != "-1"),
        })
    }
}

impl TestedCall {
    /// Whether a table of that operation over so many ranks has such a row.
    fn fits_operation(&self, operation: Operation, ranks: u32) -> bool {
        let others = f64::from(ranks.saturating_sub(1)) / f64::from(ranks.max(1));
        let (share, sums) = match operation {
            Operation::AllReduce => (2.0 * others, Some(true)),
            Operation::ReduceScatter => (others, Some(true)),
            Operation::AllGather | Operation::AllToAll => (others, Some(false)),
            Operation::Send => (1.0, None),
        };
        let near = |found: f64| (found - share).abs() <= ROUNDING * share;
        self.bus_share.is_none_or(near)
            && sums.is_none_or(|sums| sums == self.sums)
            && !self.has_root
    }
}

impl TableInProgress {
    fn has_rows(&self) -> bool {
        !self.calls.is_empty() || self.unread > 0
    }

    fn read_header_line(&mut self, line: &str, words: &[&str]) {
        self.named.extend(TESTS.iter().filter_map(|(name, operation)| {
            line.contains(&format!("{name}_perf")).then_some(*operation)
        }));
        let stated = |key: &str| {
            let number = words.iter().find_map(|word| word.strip_prefix(key))?;
            number.parse().ok().filter(|count: &u32| *count > 0)
        };
        self.ranks = stated("ranks=").or(self.ranks);
        self.domains = stated("domains=").or(self.domains);
        let after = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1).copied()
        };
        let rank = after("Rank").and_then(|word| word.parse().ok());
        let (Some(rank), Some(host)) = (rank, after("on")) else { return };
        self.repeats_ranks |= self.hosts.insert(rank, host.to_owned()).is_some();
        self.groups.extend(after("Group").map(str::to_owned));
        let device = line.rsplit_once(" device ").and_then(|pair| pair.1.split_once(']'));
        if let Some((_, gpu)) = device {
            gpu.trim().clone_into(&mut self.gpu);
        }
    }

    /// The table, of a file of that name.
    fn finish_table(self, file: &str) -> Result<TestTable, StepsProblem> {
        let refused = |reason: &str, hint| Err(StepsProblem::for_test(self.line, reason, hint));
        if self.repeats_ranks {
            let hint = "build the tests with `MPI=1`: without, each process measures its own GPUs";
            return refused("several processes are the same rank", hint);
        }
        if self.groups.len() > 1 {
            let hint = "measure without `NCCL_TESTS_SPLIT`";
            return refused("several groups ran side by side", hint);
        }
        let listed = self.hosts.len() as u32;
        let all = self.hosts.last_key_value().map(|(last, _)| last.saturating_add(1));
        let complete = all == Some(listed) && self.ranks.is_none_or(|ranks| ranks == listed);
        let Some(ranks) = self.ranks.or(all.filter(|_| complete)) else {
            let hint = "give the log with its lines `# Rank 0 ...`, or state who took part above \
                        the table: `# ranks=16 domains=2`";
            return refused("the log does not name every rank", hint);
        };
        let mut of_host: BTreeMap<&str, u32> = BTreeMap::new();
        for host in self.hosts.values() {
            *of_host.entry(host).or_default() += 1;
        }
        let hosts = of_host.len() as u32;
        if complete
            && of_host
                .values()
                .any(|count| u64::from(*count) * u64::from(hosts) != u64::from(ranks))
        {
            return refused("hosts with unlike numbers of ranks", "measure as many on each");
        }
        let widest = self.calls.iter().max_by_key(|call| call.bytes);
        let fits = |operation: &Operation| {
            widest.is_none_or(|call| call.fits_operation(*operation, ranks))
        };
        let of_file = TESTS.iter().filter(|(name, _)| {
            file.to_lowercase().replace(['-', '_'], "").contains(&name.replace('_', ""))
        });
        let mut named = self.named.iter().rev().copied().chain(of_file.map(|pair| pair.1));
        let possible: Vec<Operation> = Operation::ALL.into_iter().filter(fits).collect();
        let operation = match (named.find(fits), possible.as_slice()) {
            (Some(operation), _) => Some(operation),
            (None, [] | [_]) => possible.first().copied(),
            (None, _) => {
                let hint = "name the file after the test, as `all_gather.log`, or write a line such \
                            as `# all_gather_perf` above the table";
                return refused("the log does not say which test it is of", hint);
            }
        };
        Ok(TestTable {
            place: format!("line {}", self.line),
            operation,
            ranks,
            hosts: complete.then_some(hosts),
            domains: self.domains,
            gpu: self.gpu,
            calls: self.calls,
            unread: self.unread,
        })
    }
}
