//! Sums of whole numbers, as `$((…))` has them. What is no sum of known numbers has no value.

/// Where names of a sum have their values.
pub(super) trait Names {
    /// The text of a name; `None` where it is not known.
    fn name_text(&mut self, name: &str) -> Option<String>;
    /// Gives a name a number.
    fn set_number(&mut self, name: &str, number: i64);
}

/// How deep brackets and names may stand in each other.
pub(super) const DEEPEST: usize = 24;

/// The value of a sum.
pub(super) fn evaluate_sum(text: &str, names: &mut dyn Names) -> Option<i64> {
    evaluate_at(text, names, 0)
}

fn evaluate_at(text: &str, names: &mut dyn Names, depth: usize) -> Option<i64> {
    if depth > DEEPEST {
        return None;
    }
    let text: Vec<char> = text.chars().collect();
    let mut sum = Sum { text, at: 0, names, depth, skipping: 0 };
    sum.skip_blanks();
    if sum.at == sum.text.len() {
        return Some(0);
    }
    let value = sum.read_list()?;
    (sum.at == sum.text.len()).then_some(value)
}

struct Sum<'a> {
    text: Vec<char>,
    at: usize,
    names: &'a mut dyn Names,
    depth: usize,
    /// Above zero in the part of a condition that is not taken.
    skipping: usize,
}

/// Signs between two numbers, the loosest first.
const LEVELS: [&[&str]; 8] = [
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Sum<'_> {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn is_at(&self, sign: &str) -> bool {
        sign.chars().enumerate().all(|(count, c)| self.text.get(self.at + count) == Some(&c))
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let found = self.is_at(sign);
        if found {
            self.at += sign.chars().count();
            self.skip_blanks();
        }
        found
    }

    fn read_list(&mut self) -> Option<i64> {
        let mut value = self.read_choice()?;
        while self.take_sign(",") {
            value = self.read_choice()?;
        }
        Some(value)
    }

    fn read_nested(&mut self) -> Option<i64> {
        self.depth += 1;
        let value = if self.depth > DEEPEST { None } else { self.read_choice() };
        self.depth -= 1;
        value
    }

    fn read_choice(&mut self) -> Option<i64> {
        let condition = self.read_or()?;
        if !self.take_sign("?") {
            return Some(condition);
        }
        let first = self.read_skipped(condition == 0)?;
        if !self.take_sign(":") {
            return None;
        }
        let second = self.read_skipped(condition != 0)?;
        Some(if condition != 0 { first } else { second })
    }

    fn read_skipped(&mut self, skip: bool) -> Option<i64> {
        self.skipping += usize::from(skip);
        let value = self.read_nested();
        self.skipping -= usize::from(skip);
        value
    }

    fn read_or(&mut self) -> Option<i64> {
        let mut value = self.read_and()?;
        while self.take_sign("||") {
            self.skipping += usize::from(value != 0);
            let right = self.read_and();
            self.skipping -= usize::from(value != 0);
            value = i64::from(right? != 0 || value != 0);
        }
        Some(value)
    }

    fn read_and(&mut self) -> Option<i64> {
        let mut value = self.read_level(0)?;
        while self.take_sign("&&") {
            self.skipping += usize::from(value == 0);
            let right = self.read_level(0);
            self.skipping -= usize::from(value == 0);
            value = i64::from(right? != 0 && value != 0);
        }
        Some(value)
    }

    fn read_level(&mut self, level: usize) -> Option<i64> {
        let Some(signs) = LEVELS.get(level) else { return self.read_power() };
        let mut value = self.read_level(level + 1)?;
        loop {
            self.skip_blanks();
            let doubled = ["||", "&&", "**"].iter().any(|sign| self.is_at(sign));
            let shift = signs.contains(&"<") && (self.is_at("<<") || self.is_at(">>"));
            let Some(sign) = signs.iter().find(|sign| !doubled && !shift && self.is_at(sign))
            else {
                return Some(value);
            };
            self.take_sign(sign);
            let right = self.read_level(level + 1)?;
            value = self.apply_sign(sign, value, right)?;
        }
    }

    fn apply_sign(&self, sign: &str, left: i64, right: i64) -> Option<i64> {
        if self.skipping > 0 {
            return Some(0);
        }
        Some(match sign {
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "<=" => i64::from(left <= right),
            ">=" => i64::from(left >= right),
            "<" => i64::from(left < right),
            ">" => i64::from(left > right),
            "<<" => left.wrapping_shl(right as u32),
            ">>" => left.wrapping_shr(right as u32),
            "+" => left.wrapping_add(right),
            "-" => left.wrapping_sub(right),
            "*" => left.wrapping_mul(right),
            "/" if right != 0 => left.wrapping_div(right),
            "%" if right != 0 => left.wrapping_rem(right),
            _ => return None,
        })
    }

    fn read_power(&mut self) -> Option<i64> {
        let base = self.read_unary()?;
        if !self.take_sign("**") {
            return Some(base);
        }
        self.depth += 1;
        let power = if self.depth > DEEPEST { None } else { self.read_power() };
        self.depth -= 1;
        let power = power?;
        if self.skipping > 0 {
            return Some(0);
        }
        Some(base.wrapping_pow(u32::try_from(power).ok()?))
    }

    fn read_unary(&mut self) -> Option<i64> {
        self.skip_blanks();
        for (sign, step) in [("++", 1), ("--", -1)] {
            if self.is_at(sign) && self.text.get(self.at + 2).is_some_and(|c| is_start(*c)) {
                self.take_sign(sign);
                let name = self.read_name();
                let value = self.number_of(&name)?.wrapping_add(step);
                self.set_name(&name, value);
                return Some(value);
            }
        }
        let sign = self.text.get(self.at).copied();
        if !matches!(sign, Some('-' | '+' | '!' | '~')) {
            return self.read_primary();
        }
        self.at += 1;
        self.depth += 1;
        let value = if self.depth > DEEPEST { None } else { self.read_unary() };
        self.depth -= 1;
        let value = value?;
        Some(match sign {
            Some('-') => value.wrapping_neg(),
            Some('!') => i64::from(value == 0),
            Some('~') => !value,
            _ => value,
        })
    }

    fn read_primary(&mut self) -> Option<i64> {
        if self.take_sign("(") {
            self.depth += 1;
            let value = if self.depth > DEEPEST { None } else { self.read_list() };
            self.depth -= 1;
            return value.filter(|_| self.take_sign(")"));
        }
        let first = *self.text.get(self.at)?;
        if first.is_ascii_digit() {
            return self.read_number();
        }
        if !is_start(first) {
            return None;
        }
        let name = self.read_name();
        self.skip_blanks();
        if self.take_sign("++") || self.is_at("--") && self.take_sign("--") {
            let up = self.text[..self.at].iter().rev().find(|c| !c.is_whitespace()) == Some(&'+');
            let value = self.number_of(&name)?;
            self.set_name(&name, value.wrapping_add(if up { 1 } else { -1 }));
            return Some(value);
        }
        for sign in ["+=", "-=", "*=", "/=", "%=", "="] {
            if self.is_at(sign) && !self.is_at("==") {
                self.take_sign(sign);
                let right = self.read_nested()?;
                let value = match sign {
                    "=" => right,
                    _ => {
                        let left = self.number_of(&name)?;
                        self.apply_sign(&sign[..1], left, right)?
                    }
                };
                self.set_name(&name, value);
                return Some(value);
            }
        }
        self.number_of(&name)
    }

    fn read_number(&mut self) -> Option<i64> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '#') {
            self.at += 1;
        }
        let word: String = self.text[start..self.at].iter().collect();
        // A fraction is no whole number.
        if self.text.get(self.at) == Some(&'.') {
            return None;
        }
        self.skip_blanks();
        parse_number(&word)
    }

    fn read_name(&mut self) -> String {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| is_start(*c) || c.is_ascii_digit()) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    /// The number that a name stands for: its text is a sum too.
    fn number_of(&mut self, name: &str) -> Option<i64> {
        if self.skipping > 0 {
            return Some(0);
        }
        let text = self.names.name_text(name)?;
        evaluate_at(&text, self.names, self.depth + 1)
    }

    fn set_name(&mut self, name: &str, value: i64) {
        if self.skipping == 0 {
            self.names.set_number(name, value);
        }
    }
}

fn is_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

/// A number in tens, with a leading 0 in eights, `0x` in sixteens, or `base#digits`.
fn parse_number(word: &str) -> Option<i64> {
    if let Some((base, digits)) = word.split_once('#') {
        let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
        return i64::from_str_radix(digits, base).ok();
    }
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if word.len() > 1 && word.starts_with('0') => i64::from_str_radix(word, 8).ok(),
        // Sums are of 64 bits, and what is above them begins again.
        None => word.parse::<u64>().ok().map(|number| number as i64),
    }
}
