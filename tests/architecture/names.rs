//! Names by which somebody who has not seen the code finds a function: of two words, and never just `of`.

use crate::sources::sources;

/// Least share of functions with names of two words or more, methods of traits aside; 0.918 when it was set.
const LEAST_TWO_WORDS: f64 = 0.91;

/// Most parameters that are taken apart as tuples: a value with names is to take their place.
const MOST_TUPLES: usize = 43;

/// A function of a file.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// Parameters that are tuples taken apart, as in `(a, b): (A, B)`.
    tuples: usize,
}

/// The same text with blanks in the place of comments, of what stands in quotes, and of characters.
fn blank_literals(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let mut blanked = String::with_capacity(text.len());
    let mut at = 0;
    while at < signs.len() {
        let end = literal_end(&signs, at);
        let is_literal = end > at;
        let end = end.max(at + 1);
        let kept = |sign: &char| if is_literal && *sign != '\n' { ' ' } else { *sign };
        blanked.extend(signs[at..end].iter().map(kept));
        at = end;
    }
    blanked
}

/// The place behind the comment or literal that begins at `at`; `at` where none does.
fn literal_end(signs: &[char], at: usize) -> usize {
    let from = |start: usize, is_end: &dyn Fn(usize) -> bool| {
        (start..signs.len()).find(|place| is_end(*place)).unwrap_or(signs.len())
    };
    let next = signs.get(at + 1);
    match signs[at] {
        '/' if next == Some(&'/') => from(at, &|place| signs[place] == '\n'),
        'r' if matches!(next, Some('"' | '#'))
            && !at.checked_sub(1).is_some_and(|before| is_word(signs[before])) =>
        {
            let hashes = signs[at + 1..].iter().take_while(|sign| **sign == '#').count();
            if signs.get(at + 1 + hashes) != Some(&'"') {
                return at;
            }
            let is_end = |place: usize| {
                signs[place] == '"'
                    && signs[place + 1..].iter().take(hashes).filter(|sign| **sign == '#').count()
                        == hashes
            };
            (from(at + 2 + hashes, &is_end) + 1 + hashes).min(signs.len())
        }
        '"' => {
            let mut place = at + 1;
            while place < signs.len() && signs[place] != '"' {
                place += if signs[place] == '\\' { 2 } else { 1 };
            }
            (place + 1).min(signs.len())
        }
        // A lifetime has no second quote.
        '\'' if next == Some(&'\\') => from(at + 3, &|place| signs[place] == '\'') + 1,
        '\'' if signs.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Every word of a text with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.char_indices().scan(false, |inside, (place, sign)| {
        let starts = is_word(sign) && !*inside;
        *inside = is_word(sign);
        Some((place, starts))
    });
    starts.filter(|(_, starts)| *starts).map(|(place, _)| {
        let rest = &text[place..];
        (place, &rest[..rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())])
    })
}

/// The code without its implementations of traits, whose names are others' choice, as the formatter sets them.
fn without_trait_impls(code: &str) -> String {
    let lines: Vec<&str> = code.lines().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let bare = line.trim_start();
        let indent = &line[..line.len() - bare.len()];
        let end = if bare.starts_with("impl") || bare.starts_with("unsafe impl") {
            let header_end = (at..lines.len()).find(|place| lines[*place].contains('{'));
            let header = lines[at..=header_end.unwrap_or(at)].join(" ");
            let close = format!("{indent}}}");
            let is_one_line = line.trim_end().ends_with('}');
            header.contains(" for ").then(|| {
                let closes = |place: &usize| lines[*place].starts_with(&close);
                if is_one_line { at } else { (at..lines.len()).find(closes).unwrap_or(at) }
            })
        } else {
            None
        };
        match end {
            Some(end) => at = end + 1,
            None => {
                kept.push(line);
                at += 1;
            }
        }
    }
    kept.join("\n")
}

/// The functions of a text without literals.
fn functions(code: &str) -> Vec<Function> {
    let all: Vec<(usize, &str)> = words(code).collect();
    let declared = all.windows(2).filter(|pair| {
        // No type of a function: `fn(A) -> B`.
        pair[0].1 == "fn" && code[pair[0].0 + 2..pair[1].0].trim().is_empty()
    });
    declared
        .map(|pair| {
            let (place, name) = pair[1];
            Function {
                name: name.to_owned(),
                tuples: tuple_parameters(&code[place + name.len()..]),
            }
        })
        .collect()
}

/// How many parameters are tuples, in a text that begins behind the name of a function.
fn tuple_parameters(text: &str) -> usize {
    let (mut angles, mut depth, mut tuples, mut starts) = (0_i32, 0_i32, 0, false);
    let mut before = ' ';
    for sign in text.chars() {
        match sign {
            '<' if depth == 0 => angles += 1,
            '>' if depth == 0 && before != '-' => angles -= 1,
            '(' if angles == 0 || depth > 0 => {
                tuples += usize::from(starts && depth == 1);
                depth += 1;
                starts = depth == 1;
            }
            '[' | '{' | '<' => {
                depth += 1;
                starts = false;
            }
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return tuples;
                }
                starts = false;
            }
            ',' if depth == 1 => starts = true,
            sign if sign.is_whitespace() => {}
            _ => starts = false,
        }
        before = sign;
    }
    tuples
}

/// The functions of all files, unit tests and implementations of traits aside.
fn own_functions() -> Vec<(String, Function)> {
    let of_file = |source: crate::sources::Source| {
        let code = crate::sources::code(&source.text);
        let code = without_trait_impls(&blank_literals(&code));
        let named =
            functions(&code).into_iter().map(move |function| (source.path.clone(), function));
        named.collect::<Vec<_>>()
    };
    sources().into_iter().flat_map(of_file).collect()
}

fn has_two_words(name: &str) -> bool {
    name.split('_').filter(|word| !word.is_empty()).count() > 1
}

#[test]
fn functions_are_found_with_their_tuples() {
    let text = r##"
        /// fn none() {
        pub(crate) const fn two_words<F: Fn(u8) -> (u8, u8)>(self, (a, b): (A, B), f: fn(C) -> D) -> E {}
        impl Display for F {
            fn fmt(&self) {}
        }
        impl F {
            fn plain(&self, list: &[(G, H)], Point { x, y }: Point, of: Map<(I, J), K>, [a, b]: [(L, M); 2]) {
                let text = ("fn no() {", r#"fn no() {"#, '"', '\'', |(a, b): (A, B)| a);
            }
        }
    "##;
    let function = |name: &str, tuples| Function { name: name.to_owned(), tuples };
    let found = functions(&without_trait_impls(&blank_literals(text)));
    assert_eq!(found, [function("two_words", 1), function("plain", 0)]);
    assert_eq!(words("a of_b of, c").filter(|(_, word)| *word == "of").count(), 1);
    let names = ["new", "_new", "new_one", "a_b_c"].map(has_two_words);
    assert_eq!(names, [false, false, true, true]);
}

#[test]
fn names_of_functions_have_two_words() {
    let functions = own_functions();
    assert!(functions.len() > 4000, "only {} functions were found", functions.len());
    let two = functions.iter().filter(|(_, function)| has_two_words(&function.name)).count();
    let share = two as f64 / functions.len() as f64;
    assert!(
        share >= LEAST_TWO_WORDS,
        "{two} of {} functions have names of two words or more, {share:.4}; at least {LEAST_TWO_WORDS} is asked for",
        functions.len()
    );
}

#[test]
fn nothing_is_called_of() {
    let mut found: Vec<String> = Vec::new();
    for source in sources() {
        let code = blank_literals(&source.text);
        for (place, word) in words(&code) {
            // `option::of` and its like are other people's.
            let is_foreign = ["::", "."].iter().any(|sign| code[..place].ends_with(sign));
            if word == "of" && !is_foreign {
                let line = code[..place].matches('\n').count() + 1;
                found.push(format!("{}:{line}: something is called `of`", source.path));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn tuples_as_parameters_become_fewer() {
    let functions = own_functions();
    let tuples: usize = functions.iter().map(|(_, function)| function.tuples).sum();
    let list: Vec<String> = functions
        .iter()
        .filter(|(_, function)| function.tuples > 0)
        .map(|(path, function)| format!("{path}: {}", function.name))
        .collect();
    assert!(
        tuples <= MOST_TUPLES,
        "{tuples} parameters are tuples, at most {MOST_TUPLES} are allowed: give one of them names:\n{}",
        list.join("\n")
    );
}
