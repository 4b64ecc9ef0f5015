//! Names by which somebody who has not seen the code finds a function: of two words, and never just `of`.

use crate::imports::{Token, all_tokens, end_of_item, tokens};
use crate::support::sources::{Source, sources};

/// Least share of functions with names of two words or more, methods of traits aside; 0.918 when it was set.
const LEAST_TWO_WORDS: f64 = 0.91;

/// A function of a file.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// Parameters that are tuples taken apart, as in `(a, b): (A, B)`.
    tuples: usize,
}

/// The functions of a file, implementations of traits aside: their names are others' choice.
fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_trait_impl(tokens, at) {
            at = end_of_item(tokens, at);
            continue;
        }
        // A type of a function has no name: `fn(A) -> B`.
        if let [first, Token::Word(name), rest @ ..] = &tokens[at..]
            && first.is_word("fn")
        {
            found.push(Function { name: name.clone(), tuples: tuple_parameters(rest) });
        }
        at += 1;
    }
    found
}

/// True where the item `impl A for B` begins; as a type, `impl` stands behind other signs.
fn is_trait_impl(tokens: &[Token], at: usize) -> bool {
    let begins = match at.checked_sub(1).map(|before| &tokens[before]) {
        None | Some(Token::Sign('}' | '{' | ';' | ']')) => true,
        Some(before) => before.is_word("unsafe"),
    };
    let header = tokens[at..].iter().position(|token| token.is('{')).unwrap_or(0);
    let header = &tokens[at..at + header];
    // `for<'a>` says of which lifetimes.
    let names_a_type = |pair: &[Token]| pair[0].is_word("for") && !pair[1].is('<');
    begins && tokens[at].is_word("impl") && header.windows(2).any(names_a_type)
}

/// How many parameters are tuples, in tokens that begin behind the name of a function.
fn tuple_parameters(tokens: &[Token]) -> usize {
    let (mut depth, mut tuples) = (0_usize, 0);
    // The list of parameters was reached, and one of them begins.
    let (mut inside, mut begins) = (false, false);
    let mut before = &Token::Sign(' ');
    for token in tokens {
        let was_beginning = std::mem::take(&mut begins);
        match token {
            // An arrow closes nothing.
            Token::Sign('>') if before.is('-') || before.is('=') => {}
            Token::Sign('(') if depth == 0 => {
                (depth, inside, begins) = (1, true, true);
            }
            Token::Sign('(' | '[' | '{' | '<') => {
                tuples += usize::from(was_beginning && token.is('('));
                depth += 1;
            }
            Token::Sign(')' | ']' | '}' | '>') => {
                depth = depth.saturating_sub(1);
                if inside && depth == 0 {
                    break;
                }
            }
            Token::Sign(',') => begins = inside && depth == 1,
            _ => {}
        }
        before = token;
    }
    tuples
}

/// The functions of all files, unit tests and implementations of traits aside.
fn own_functions() -> Vec<(String, Function)> {
    let of_file = |source: Source| {
        let named = functions(&tokens(&source.text)).into_iter();
        named.map(|function| (source.path.clone(), function)).collect::<Vec<_>>()
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
    let found = functions(&tokens(text));
    assert_eq!(found, [function("two_words", 1), function("plain", 0)]);
    assert_eq!(tokens("a of_b of, c").iter().filter(|token| token.is_word("of")).count(), 1);
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
        let all = all_tokens(&source.text);
        for (place, token) in all.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &all[before]);
            // `option::of` and its like are other people's.
            let is_foreign = before.is_some_and(|sign| *sign == Token::Path || sign.is('.'));
            if token.is_word("of") && !is_foreign {
                let near = &all[place.saturating_sub(4)..(place + 4).min(all.len())];
                found.push(format!("{}: something is called `of`, near {near:?}", source.path));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn no_parameter_is_a_tuple() {
    let list: Vec<String> = own_functions()
        .iter()
        .filter(|(_, function)| function.tuples > 0)
        .map(|(path, function)| format!("{path}: {}", function.name))
        .collect();
    assert!(list.is_empty(), "parameters that are tuples need names:\n{}", list.join("\n"));
}
