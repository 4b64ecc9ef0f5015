//! Random scripts of the subset of bash that launch scripts use, as a source of questions: what is
//! in them follows from a seed alone. Names are set before they are read, as one that is not set is
//! no empty text to the program.

/// Writes scripts.
pub(crate) struct Generator {
    seed: u64,
    depth: usize,
    functions: usize,
    in_function: bool,
    loops: usize,
}

const TEXTS: [&str; 16] = [
    "--num-layers 96",
    "a  b",
    "x=1,2",
    "",
    "7B",
    "  lead",
    "path/to/file.tar.gz",
    "10",
    "trail ",
    "llama-7B-x",
    "a,b,,c",
    "Mixed Case",
    "it is",
    "0.5",
    "a/b/c",
    "--flag",
];
const PATTERNS: [&str; 12] =
    ["*", "a*", "*/", "?", "[a-f]*", "*B", ".*", "b", "*[0-9]*", "x", "*,", "[!a]"];

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, depth: 0, functions: 0, in_function: false, loops: 0 }
    }
    fn pick_below(&mut self, n: usize) -> usize {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
    fn pick_text(&mut self, list: &[&str]) -> String {
        let at = self.pick_below(list.len());
        list[at].to_owned()
    }
    fn scalar_name(&mut self) -> String {
        self.pick_text(&["A", "B", "C", "D"])
    }
    fn number_name(&mut self) -> String {
        self.pick_text(&["N", "M", "K"])
    }
    fn list_name(&mut self) -> String {
        self.pick_text(&["L", "P"])
    }
    fn unset_name(&mut self) -> String {
        self.pick_text(&["U", "V"])
    }
    fn quoted_text(&mut self, text: &str) -> String {
        match self.pick_below(3) {
            0 => format!("'{text}'"),
            1 => format!("\"{text}\""),
            _ => {
                text.replace(' ', "\\ ").replace(',', "\\,")
                    + if text.is_empty() { "''" } else { "" }
            }
        }
    }
    fn random_sum(&mut self) -> String {
        self.depth += 1;
        let deep = self.depth > 3;
        let out = match self.pick_below(if deep { 3 } else { 12 }) {
            0 => self.pick_below(40).to_string(),
            1 => self.number_name(),
            2 => format!("${}", self.number_name()),
            3 => format!("({} + {})", self.random_sum(), self.random_sum()),
            4 => format!("{} * {}", self.random_sum(), self.random_sum()),
            5 => format!("{} - {}", self.random_sum(), self.random_sum()),
            6 => {
                let d = 1 + self.pick_below(9);
                format!("({}) / {d}", self.random_sum())
            }
            7 => {
                let d = 1 + self.pick_below(9);
                format!("{} % {d}", self.random_sum())
            }
            8 => {
                let s =
                    self.pick_text(&["<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"]);
                format!("({} {s} {})", self.random_sum(), self.random_sum())
            }
            9 => format!("({} ? {} : {})", self.random_sum(), self.random_sum(), self.random_sum()),
            10 => {
                let s = self.pick_text(&["-", "!", "~", "+"]);
                format!("{s}({})", self.random_sum())
            }
            _ => format!("${{#{}[@]}}", self.list_name()),
        };
        self.depth -= 1;
        out
    }
    fn random_pattern(&mut self) -> String {
        match self.pick_below(6) {
            0 => {
                let s = self.scalar_name();
                format!("\"${s}\"")
            }
            1 => "\\*".into(),
            _ => self.pick_text(&PATTERNS),
        }
    }
    /// An expansion without quotes around it.
    fn random_expansion(&mut self) -> String {
        let (s, l, u) = (self.scalar_name(), self.list_name(), self.unset_name());
        self.depth += 1;
        let out = match self.pick_below(28) {
            0 | 1 => format!("${s}"),
            2 => format!("${{{s}}}"),
            3 => {
                let w = self.inner_word();
                let op = self.pick_text(&[":-", "-"]);
                format!("${{{u}{op}{w}}}")
            }
            4 => {
                let w = self.inner_word();
                let op = self.pick_text(&[":-", "-", ":+", "+", ":="]);
                format!("${{{s}{op}{w}}}")
            }
            5 => {
                let w = self.inner_word();
                let op = self.pick_text(&[":+", "+"]);
                format!("${{{u}{op}{w}}}")
            }
            6 => {
                let p = self.random_pattern();
                let op = self.pick_text(&["#", "##", "%", "%%"]);
                format!("${{{s}{op}{p}}}")
            }
            7 => {
                let op = self.pick_text(&["/", "//", "/#", "/%"]);
                let p = self.pick_text(&["a", "b", "[a-f]", "?", ",", "B", "*[0-9]", "x*"]);
                let w = self.pick_text(&["", "Z", "1 2", "$N"]);
                format!("${{{s}{op}{p}/{w}}}")
            }
            8 => {
                let op = self.pick_text(&["^^", ",,", "^", ","]);
                format!("${{{s}{op}}}")
            }
            9 => {
                let (a, b) = (self.pick_below(6), self.pick_below(6));
                format!("${{{s}:{a}:{b}}}")
            }
            10 => {
                let a = 1 + self.pick_below(4);
                format!("${{{s}: -{a}}}")
            }
            11 => format!("${{#{s}}}"),
            12 | 13 => format!("${{{l}[@]}}"),
            14 => format!("${{{l}[*]}}"),
            15 => {
                let i = self.pick_text(&["0", "1", "-1", "N % 2", "$((1 - 1))"]);
                format!("${{{l}[{i}]:-none}}")
            }
            16 => format!("${{#{l}[@]}}"),
            17 => {
                let (a, b) = (self.pick_below(3), self.pick_below(4));
                format!("${{{l}[@]:{a}:{b}}}")
            }
            18 => format!("${{!{l}[@]}}"),
            19 => {
                let e = self.random_sum();
                format!("$(({e}))")
            }
            20 => {
                let w = self.random_words(2);
                format!("$(echo {w})")
            }
            21 => {
                let q = self.pick_text(&["A", "B"]);
                format!("$(basename \"x/${q}.sh\" .sh)")
            }
            22 => {
                let a = 1 + self.pick_below(5);
                format!("$(seq 1 {a})")
            }
            23 => format!("${{{l}[@]/a/Q}}"),
            24 => format!("$(dirname a/b/{})", self.pick_below(9)),
            25 => {
                let e = self.random_sum();
                format!("$(echo \"$(( {e} ))\" | cat)")
            }
            26 => {
                let w = self.random_words(1);
                format!("`echo {}`", w.replace(['`', '\\'], ""))
            }
            _ => {
                let q = self.pick_text(&["name_of_a", "name_of_n"]);
                format!("${{!{q}}}")
            }
        };
        self.depth -= 1;
        out
    }
    /// A word inside of an expansion.
    fn inner_word(&mut self) -> String {
        if self.depth > 2 {
            return self.pick_text(&["d", "x y", ""]);
        }
        match self.pick_below(5) {
            0 => self.pick_text(&["d", "x y", "--f 1", ""]),
            1 => self.random_expansion(),
            2 => {
                let e = self.random_expansion();
                format!("p{e}")
            }
            3 => "\"q  r\"".into(),
            _ => {
                let e = self.random_expansion();
                format!("\"{e}\"")
            }
        }
    }
    fn random_word(&mut self) -> String {
        if self.depth > 3 {
            return self.pick_text(&["w", "\"$A\"", "7"]);
        }
        match self.pick_below(12) {
            0 | 1 => self.pick_text(&["--flag", "plain", "x=1", "a/b", "--key=v", "7B"]),
            2 => {
                let t = self.pick_text(&TEXTS);
                self.quoted_text(&t)
            }
            3 | 4 => self.random_expansion(),
            5 | 6 => {
                let e = self.random_expansion();
                format!("\"{e}\"")
            }
            7 => {
                let (e, f) = (self.random_expansion(), self.random_expansion());
                format!("\"pre {e} mid{f}\"")
            }
            8 => {
                let e = self.random_expansion();
                format!("--k={e}")
            }
            9 => {
                let (mut e, f) = (self.random_expansion(), self.random_word());
                if e.starts_with('$') && e[1..].chars().all(|c| c.is_ascii_alphanumeric()) {
                    e = format!("${{{}}}", &e[1..]);
                }
                format!("{e}{f}")
            }
            10 => self.pick_text(&[
                "{a,b}",
                "x{1..3}",
                "{a,b}{c,d}",
                "{}",
                "{a}",
                "$'t\\tn'",
                "\"\"",
                "''",
                "{x,{y,z}}",
                "\"$@\"",
                "$@",
                "\"$*\"",
                "$#",
                "${1:-none}",
                "\"${@:1:1}\"",
            ]),
            _ => {
                let t = self.pick_text(&[
                    "\\$A", "\"\\$A\"", "'$A'", "a\\ b", "\"a\\b\"", "\"it's\"", "#no", "a#b",
                ]);
                if t == "#no" { "a#no".into() } else { t }
            }
        }
    }
    fn random_words(&mut self, count: usize) -> String {
        let n = 1 + self.pick_below(count);
        let list: Vec<String> = (0..n).map(|_| self.random_word()).collect();
        list.join(if self.pick_below(6) == 0 { " \\\n  " } else { " " })
    }
    fn random_test(&mut self) -> String {
        let (s, n) = (self.scalar_name(), self.number_name());
        match self.pick_below(13) {
            0 => {
                let t = self.pick_text(&TEXTS);
                format!("[ \"${s}\" = '{t}' ]")
            }
            1 => {
                let t = self.pick_text(&TEXTS);
                format!("[ \"${s}\" != \"{t}\" ]")
            }
            2 => {
                let o = self.pick_text(&["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
                let e = self.random_sum();
                format!("[ ${n} {o} $(({e})) ]")
            }
            3 => {
                let o = self.pick_text(&["-z", "-n"]);
                format!("[ {o} \"${s}\" ]")
            }
            4 => {
                let p = self.random_pattern();
                let o = self.pick_text(&["==", "!=", "="]);
                format!("[[ ${s} {o} {p} ]]")
            }
            5 => {
                let (a, b) = (self.test_inner(), self.test_inner());
                let o = self.pick_text(&["&&", "||"]);
                format!("[[ {a} {o} ( {b} ) ]]")
            }
            6 => {
                let e = self.random_sum();
                format!("(( {e} ))")
            }
            7 => {
                let t = self.test_leaf();
                format!("! {t}")
            }
            8 => {
                let (a, b) = (self.test_leaf(), self.test_leaf());
                let o = self.pick_text(&["&&", "||"]);
                format!("{a} {o} {b}")
            }
            9 => {
                let o = self.pick_text(&["-a", "-o"]);
                let m = self.number_name();
                format!("[ ${n} -gt {} {o} ${m} -lt {} ]", self.pick_below(9), self.pick_below(9))
            }
            10 => self.pick_text(&["true", "false"]),
            11 => {
                let u = self.unset_name();
                format!("[ -z \"${{{u}:-}}\" ]")
            }
            _ => format!("[[ -n ${s} ]]"),
        }
    }
    fn test_leaf(&mut self) -> String {
        let (s, n) = (self.scalar_name(), self.number_name());
        match self.pick_below(3) {
            0 => format!("[ -n \"${s}\" ]"),
            1 => format!("[[ ${s} == *a* ]]"),
            _ => format!("(( {n} > 3 ))"),
        }
    }
    fn test_inner(&mut self) -> String {
        let (s, n) = (self.scalar_name(), self.number_name());
        match self.pick_below(4) {
            0 => format!("-z ${s}"),
            1 => format!("! ${s} == *B*"),
            2 => format!("{n} -lt 9"),
            _ => {
                let t = self.pick_text(&["a", "7B", "10"]);
                format!("\"${s}\" == {t}")
            }
        }
    }
    fn random_assignment(&mut self) -> String {
        let (s, l, n) = (self.scalar_name(), self.list_name(), self.number_name());
        match self.pick_below(14) {
            0..=2 => {
                let w = self.random_word();
                format!("{s}={w}")
            }
            3 => {
                let w = self.random_word();
                format!("{s}+={w}")
            }
            4 | 5 => {
                let e = self.random_sum();
                format!("{n}=$(({e}))")
            }
            6 => {
                let w = self.random_words(4);
                format!("{l}=({w})")
            }
            7 => {
                let w = self.random_words(2);
                format!("{l}+=({w})")
            }
            8 => {
                let w = self.random_word();
                let i = self.pick_below(4);
                format!("{l}[{i}]={w}")
            }
            9 => {
                let w = self.random_word();
                if w.contains('{') { format!("{s}={w}") } else { format!("export {s}={w}") }
            }
            10 => {
                let o = self.pick_text(&["+=", "-=", "*=", "="]);
                let e = self.random_sum();
                format!("(( {n} {o} {e} )) || true")
            }
            11 => {
                let e = self.pick_below(30);
                format!("let {n}={e}")
            }
            12 => {
                let t = self.random_word();
                format!("printf -v {s} '%s-%s' {t} z")
            }
            _ => {
                let w = self.random_words(3);
                format!("{l}=(\n  {w} # why\n  --more\n)")
            }
        }
    }
    fn random_block(&mut self, count: usize) -> String {
        self.depth += 1;
        let n = 1 + self.pick_below(count);
        let list: Vec<String> = (0..n).map(|_| self.random_statement()).collect();
        self.depth -= 1;
        list.join("\n")
    }
    fn random_statement(&mut self) -> String {
        if self.depth > 2 {
            return if self.pick_below(2) == 0 {
                self.random_assignment()
            } else {
                let w = self.random_words(4);
                format!("torchrun {w}")
            };
        }
        match self.pick_below(30) {
            0..=7 => self.random_assignment(),
            8..=12 => {
                let w = self.random_words(5);
                let t = self.pick_text(&["", "", " 2>&1", " | cat", " >&1"]);
                format!("torchrun {w}{t}")
            }
            13 => {
                let (t, b) = (self.random_test(), self.random_block(3));
                format!("if {t}; then\n{b}\nfi")
            }
            14 => {
                let (t, u, a, b, c) = (
                    self.random_test(),
                    self.random_test(),
                    self.random_block(2),
                    self.random_block(2),
                    self.random_block(2),
                );
                format!("if {t}\nthen {a}\nelif {u}; then\n{b}\nelse\n{c}\nfi")
            }
            15 => {
                let (s, a, b, c) = (
                    self.scalar_name(),
                    self.random_block(2),
                    self.random_block(2),
                    self.random_block(2),
                );
                let (p, q) = (self.random_pattern(), self.random_pattern());
                let end = self.pick_text(&[";;", ";;", ";&"]);
                format!("case ${s} in\n  {p}|7B) {a} {end}\n  ({q})\n{b}\n;;\n  *) {c}\nesac")
            }
            16 => {
                let (w, b) = (self.random_words(3), self.random_block(2));
                let s = self.scalar_name();
                format!("for {s} in {w}; do\n{b}\ndone")
            }
            17 => {
                let b = self.random_block(2);
                self.loops += 1;
                let i = format!("i{}", self.loops);
                let n = self.pick_below(4);
                format!("for (({i}=0; {i}<{n}; {i}++)); do\n{b}\ntorchrun ${i}\ndone")
            }
            18 => {
                let b = self.random_block(2);
                self.loops += 1;
                let i = format!("i{}", self.loops);
                let n = self.pick_below(4);
                let k = self.pick_text(&[
                    "",
                    "",
                    "[ $N -gt 5 ] && break\n",
                    "(( M == 3 )) && continue\n",
                ]);
                format!("{i}=0\nwhile [ ${i} -lt {n} ]; do\n{i}=$(({i}+1))\n{k}{b}\ndone")
            }
            19 if !self.in_function => {
                self.in_function = true;
                let b = self.random_block(3);
                self.in_function = false;
                self.functions += 1;
                let f = format!("f{}", self.functions);
                let (s, w, v) = (
                    self.scalar_name(),
                    self.random_words(3),
                    self.random_word().replace('{', "\\{"),
                );
                let v = if v.contains("$\\{") { "it".to_owned() } else { v };
                let r = self.pick_text(&["true\n", "return 1\n", "return 0\n"]);
                format!(
                    "{f}() {{\nlocal {s}={v} x=1\n{b}\ntorchrun \"$#\" \"$@\"\n{r}}}\n{f} {w}\n{f} one && A=yes || A=no"
                )
            }
            20 => {
                let (a, t) = (self.random_assignment(), self.random_test());
                let o = self.pick_text(&["&&", "||"]);
                format!("{t} {o} {a}")
            }
            21 => {
                let w = self.random_words(3);
                let q = if w.contains('\'') {
                    "torchrun $A".to_owned()
                } else {
                    format!("torchrun {w}")
                };
                format!("eval '{q}'")
            }
            22 => {
                let s = self.scalar_name();
                format!("CMD=\"torchrun --x ${s}\"\neval $CMD\n$CMD")
            }
            23 => {
                let s = self.scalar_name();
                format!("bash -fuc 'torchrun ${s} \"$1\" ${{2:-z}}' me \"${s} q\"")
            }
            24 => {
                let (a, b) = (self.random_expansion(), self.random_expansion());
                let s = self.scalar_name();
                let q = self.pick_text(&["EOF", "EOF", "'EOF'", "\"EOF\""]);
                let (a, b) =
                    if q == "EOF" { (a, b) } else { ("$1 `x".to_owned(), "\\\"".to_owned()) };
                format!("{s}=$(cat <<{q}\nline one {a}\n  two \"{b}\" \\$A\nEOF\n)")
            }
            25 => ". ./part.sh".into(),
            26 => {
                let b = self.random_block(2);
                format!("(\n{b}\n)")
            }
            27 => {
                let b = self.random_block(2);
                format!("{{ {b}\n}}")
            }
            28 if !self.in_function => {
                let w = self.random_words(3);
                format!("set -- {w}\ntorchrun $# \"$@\"\nshift\ntorchrun \"$@\"")
            }
            _ => {
                let (s, l) = (self.scalar_name(), self.list_name());
                self.pick_text(&[
                    &format!("IFS=,\ntorchrun ${s} \"${{{l}[*]}}\"\nunset IFS"),
                    &format!("unset {l}[1]"),
                    "declare -A T=([a]=1 [b]=\"x y\")\ntorchrun ${T[a]} \"${T[b]}\"",
                    &format!("torchrun \"$(cat <<< \"${s}\")\""),
                    "read -r -d '' D <<EOF || true\n x y\nEOF",
                    "N=`expr $N + 1`\ntorchrun ${N}",
                    "source \"$(dirname \"$0\")/part.sh\"",
                    "DIR=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n. $DIR/part.sh",
                ])
            }
        }
    }
    pub(crate) fn random_script(&mut self, top: bool) -> String {
        let mut out = String::new();
        if top {
            for s in ["A", "B", "C", "D"] {
                let t = self.pick_text(&TEXTS);
                out += &format!("{s}='{t}'\n");
            }
            for n in ["N", "M", "K"] {
                let t = self.pick_below(12);
                out += &format!("{n}={t}\n");
            }
            let (w, v) = (self.random_words(3), self.random_words(2));
            out += &format!(
                "name_of_a=A name_of_n=N\nL=(one \"t w\" z)\nP=(4 x)\nset -- p \"q r\"\nL=({w})\nP=({v} z)\n"
            );
        }
        let n = 3 + self.pick_below(12);
        for _ in 0..n {
            out += &self.random_statement();
            out += "\n";
        }
        out + "torchrun \"$A\" \"$B\" $C $D $N \"${L[@]}\"\n"
    }
}
