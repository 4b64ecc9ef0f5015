//! The fuzz targets without a fuzzer: every file of their corpus, and a fixed number of mutations of
//! it, through the same properties. The same inputs on every run and every machine;
//! `PLANNER_MUTATIONS` states how many of each file.

use std::fs;
use std::path::{Path, PathBuf};

/// Mutations of each file: enough to notice a parser that got careless, few enough for every run.
const MUTATIONS: usize = 60;

/// Longest input that is mutated further.
const LONGEST: usize = 20_000;

/// Pieces that parsers stumble over.
const TOKENS: [&str; 60] = [
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    "'",
    ",",
    ".",
    "-",
    "+",
    "%",
    ">",
    "<",
    "~",
    "$",
    "\n",
    "\0",
    "1e308",
    "-1",
    "0",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "NaN",
    "inf",
    "null",
    "true",
    "\"auto\"",
    "[[price]]",
    "[model]",
    "\u{feff}",
    "\u{1b}[31m",
    "€",
    "EUR ",
    "never",
    "400 Gb/s",
    "80 GiB",
    "_usd",
    "1979-05-27",
    "\\u0000",
    "$(",
    "${X:",
    "$((",
    "))",
    ";;",
    " done\n",
    "for i in {1..99}; do ",
    "<<E\n",
    "X=$X$X\n",
    "`",
    "\\\n",
    "()",
    "eval ",
    "source model.sh\n",
    " --num-layers ",
    ": ",
    "\n  - ",
    "&a ",
    "*a",
    "!!",
];

/// The corpus of a target, by name.
fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("every target has a corpus")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files
}

/// A generator of numbers that look random and are always the same (xorshift64, Marsaglia 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// The input with one thing changed.
fn mutated(input: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let at = dice.below(input.len() + 1);
    let until = (at + dice.below(40)).min(input.len());
    let (head, tail) = input.split_at(at);
    match dice.below(6) {
        0 => [head, &input[until..]].concat(),
        1 => [head, TOKENS[dice.below(TOKENS.len())].as_bytes(), tail].concat(),
        2 => [head, TOKENS[dice.below(TOKENS.len())].as_bytes(), &input[until..]].concat(),
        3 => [head, &input[at..until], tail].concat(),
        4 => {
            let from = dice.below(other.len() + 1);
            let to = (from + dice.below(200)).min(other.len());
            [head, &other[from..to], tail].concat()
        }
        _ => {
            let mut changed = input.to_vec();
            if let Some(byte) = changed.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
            changed
        }
    }
}

fn mutation_count() -> usize {
    let stated = std::env::var("PLANNER_MUTATIONS").ok();
    stated.map_or(MUTATIONS, |text| text.parse().expect("a whole number"))
}

fn feed(target: &str, property: fn(&[u8])) {
    let inputs: Vec<Vec<u8>> =
        corpus(target).iter().map(|file| fs::read(file).expect("a readable file")).collect();
    assert!(inputs.len() >= 4, "{target} has {} inputs", inputs.len());
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for (place, input) in inputs.iter().enumerate() {
        property(input);
        let mut changed = input.clone();
        for round in 0..mutation_count() {
            // Every tenth starts anew, so that some inputs are one slip away from a sound one.
            if round % 10 == 0 || changed.len() > LONGEST {
                changed.clone_from(input);
            }
            let other = &inputs[(place + round) % inputs.len()];
            changed = mutated(&changed, other, &mut dice);
            property(&changed);
        }
    }
}

#[test]
fn specs_hold() {
    feed("spec", crate::fuzz::properties::spec);
}

#[test]
fn units_hold() {
    feed("units", crate::fuzz::properties::units);
}

#[test]
fn price_books_hold() {
    feed("price_book", crate::fuzz::properties::price_book);
}

#[test]
fn rules_hold() {
    feed("rule", crate::fuzz::properties::rule);
}

#[test]
fn results_hold() {
    feed("result", crate::fuzz::properties::result);
}

#[test]
fn recipes_hold() {
    feed("recipe", crate::fuzz::properties::recipe);
}

#[test]
fn scripts_hold() {
    feed("script", crate::fuzz::properties::script);
}
