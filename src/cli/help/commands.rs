//! What the help of each command has beside its arguments: examples, and which of the options that
//! every command takes. A test runs every example.

/// What the help of a command has beside its arguments.
pub(super) struct CommandHelp {
    pub(super) name: &'static str,
    /// Heading over its own options.
    pub(super) heading: &'static str,
    /// Options of every command that it shows too.
    pub(super) shown: &'static [&'static str],
    /// What is typed, and what comes of it.
    pub(super) examples: [(&'static str, &'static str); 2],
}

/// How a result is printed.
pub(super) const PRINT: [&str; 5] = ["quiet", "all", "section", "format", "output"];
/// Where it is only one text.
const WRITE: [&str; 1] = ["output"];
/// How a result is printed, and what changes the spec.
const PRINT_AND_SPEC: [&str; 8] =
    ["quiet", "all", "section", "format", "output", "set", "prices", "part"];

/// All of them, hidden ones too.
pub(super) const COMMANDS: [CommandHelp; 22] = [
    CommandHelp {
        name: "init",
        heading: "What it says",
        shown: &[],
        examples: [
            ("planner init", "./model.toml: llama3-70b on 1,024 GPUs"),
            ("planner init small.toml --preset starter", "a ready spec, to change"),
        ],
    },
    CommandHelp {
        name: "design",
        heading: "What to add",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner design", "the decision for ./model.toml"),
            ("planner design starter --set cluster.gpus=512 --all", "another size, every section"),
        ],
    },
    CommandHelp {
        name: "compare",
        heading: "Against what",
        shown: &PRINT,
        examples: [
            ("planner compare starter --baseline clos", "against a full-bisection Clos"),
            ("planner compare model.toml base.json --all", "two designs, every row"),
        ],
    },
    CommandHelp {
        name: "explain",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner explain starter step.time_s", "formula, inputs and source of a figure"),
            ("planner explain W07", "a warning; or a word: `planner explain rail`"),
        ],
    },
    CommandHelp {
        name: "bill",
        heading: "Options",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner bill", "every part of the design for ./model.toml"),
            ("planner bill starter --format xlsx -o bill.xlsx", "a workbook with formulas"),
        ],
    },
    CommandHelp {
        name: "step",
        heading: "Options",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner step starter", "time and memory by part"),
            ("planner step starter --set parallelism.tensor=4", "of another layout"),
        ],
    },
    CommandHelp {
        name: "traffic",
        heading: "What to look at",
        shown: &PRINT,
        examples: [
            ("planner traffic starter --by domain", "sums between machines"),
            ("planner traffic starter --format svg -o traffic.svg", "a heat map"),
        ],
    },
    CommandHelp {
        name: "network",
        heading: "What fails",
        shown: &PRINT,
        examples: [
            ("planner network starter --fail switch:leaf-0", "what one lost switch does"),
            ("planner network clos --endpoints 1024 --radix 64", "any fabric, without a model"),
        ],
    },
    CommandHelp {
        name: "fabric",
        heading: "What to build",
        shown: &["format", "output"],
        examples: [
            ("planner network clos --endpoints 1024 --radix 64", "a Clos of 64-port switches"),
            ("planner network hb --family nvlink5 --gpus 72", "inside an NVL72 rack"),
        ],
    },
    CommandHelp {
        name: "cables",
        heading: "Which",
        shown: &PRINT,
        examples: [
            ("planner cables starter", "racks, and cables by length"),
            ("planner cables starter --format csv -o cables.csv", "a line for each cable"),
        ],
    },
    CommandHelp {
        name: "search",
        heading: "What to search",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner search starter", "layouts that the spec leaves open"),
            ("planner search starter --where 'tensor<=4' --top 5", "only some of them"),
        ],
    },
    CommandHelp {
        name: "domain",
        heading: "What to try",
        shown: &PRINT,
        examples: [
            ("planner domain starter --over nvlink4-8", "one machine"),
            ("planner domain starter --sizes 8,16 --gpus 256", "sizes that nobody sells"),
        ],
    },
    CommandHelp {
        name: "sweep",
        heading: "What to vary",
        shown: &PRINT,
        examples: [
            ("planner sweep starter --vary cluster.gpus=128,256", "a design for each"),
            (
                "planner sweep starter --vary limits.within_rail=0,1 --show capex",
                "one figure of each",
            ),
        ],
    },
    CommandHelp {
        name: "check",
        heading: "Rules",
        shown: &PRINT,
        examples: [
            ("planner check --against base.json --fail-on 'capex>+2%'", "./model.toml"),
            ("planner check --against base.json --policy rules.toml", "rules of another spec"),
        ],
    },
    CommandHelp {
        name: "diff",
        heading: "Rules",
        shown: &PRINT,
        examples: [
            ("planner diff base.json model.toml", "what changed since"),
            ("planner diff starter starter --set cluster.gpus=512", "what a change costs"),
        ],
    },
    CommandHelp {
        name: "import",
        heading: "What it does not say",
        shown: &WRITE,
        examples: [
            ("planner import config.json --gpus 1024 -o big.toml", "a model of Hugging Face"),
            ("planner import train.sh --node dgx-h100", "a script of Megatron-LM"),
        ],
    },
    CommandHelp {
        name: "launch",
        heading: "For what",
        shown: &WRITE,
        examples: [
            ("planner launch starter --for megatron", "flags of Megatron-LM"),
            ("planner launch starter --for deepspeed -o ds.json", "a file of DeepSpeed"),
        ],
    },
    CommandHelp {
        name: "presets",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner presets list", "models, parts, prices and ready specs"),
            ("planner presets show dgx-h100", "one of them, with its source"),
        ],
    },
    CommandHelp {
        name: "validate",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner validate", "errors on the measured steps that ship"),
            ("planner validate steps.csv starter", "constants from steps of your own"),
        ],
    },
    CommandHelp {
        name: "calibrate",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner validate steps.csv starter", "the same, by the name of today"),
            ("planner calibrate steps.csv starter", "as it was called"),
        ],
    },
    CommandHelp {
        name: "generate",
        heading: "What",
        shown: &WRITE,
        examples: [
            ("planner generate completions bash", "for a shell"),
            ("planner generate schema -o planner.schema.json", "for an editor"),
        ],
    },
    CommandHelp {
        name: "help",
        heading: "Options",
        shown: &WRITE,
        examples: [
            ("planner help design", "one command"),
            ("planner help options", "what every command takes"),
        ],
    },
];
