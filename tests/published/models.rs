//! Sizes of the model presets: the parameters that their papers and model cards print, against
//! what follows from the shapes (docs/equations.md §1).

use planner::spec::{SpecText, read_scenario};

use crate::published::table::{Row, Tolerance};

/// Preset, where the size is printed, parameters and active parameters in billions (0: not
/// printed), and the tolerance: half of the last printed digit, unless a comment says more.
/// Position embeddings and biases are left out here: up to 0.08 billion of the GPT models.
const SIZES: [(&str, &str, f64, f64, f64); 27] = [
    ("gpt3-175b", "arXiv 2104.04473, Table 2", 174.6, 0.0, 0.1),
    ("gpt-18b", "arXiv 2104.04473, Table 1", 18.4, 0.0, 0.1),
    ("gpt-22b", "arXiv 2205.05198, Table 3", 22.0, 0.0, 0.5),
    ("gpt-39b", "arXiv 2104.04473, Table 1", 39.1, 0.0, 0.1),
    ("gpt-76b", "arXiv 2104.04473, Table 1", 76.1, 0.0, 0.1),
    ("gpt-145b", "arXiv 2104.04473, Table 1", 145.6, 0.0, 0.1),
    ("gpt-310b", "arXiv 2104.04473, Table 1", 310.1, 0.0, 0.1),
    ("gpt-1t", "arXiv 2104.04473, Table 1", 1008.0, 0.0, 0.5),
    ("mt-nlg-530b", "arXiv 2104.04473, Table 1", 529.6, 0.0, 0.1),
    ("axonn-12b", "arXiv 2110.13005", 12.0, 0.0, 0.5),
    ("axonn-24b", "arXiv 2110.13005", 24.0, 0.0, 1.0), // named by rounded sizes there
    ("axonn-50b", "arXiv 2110.13005", 50.0, 0.0, 1.0), // likewise
    ("axonn-100b", "arXiv 2110.13005", 100.0, 0.0, 2.0), // likewise
    ("opt-175b", "arXiv 2205.01068, Table 1", 175.0, 0.0, 0.5),
    ("bloom-176b", "arXiv 2211.05100, Table 5", 176.247, 0.0, 0.05),
    ("palm-540b", "arXiv 2204.02311, Table 1", 540.35, 0.0, 0.05),
    ("llama3-8b", "model card", 8.03, 0.0, 0.005),
    ("llama3-70b", "model card", 70.55, 0.0, 0.005),
    ("llama3-405b", "model card", 405.85, 0.0, 0.005),
    ("mixtral-8x7b", "arXiv 2401.04088 and model card", 46.7, 12.9, 0.05),
    ("mixtral-8x22b", "model card", 141.0, 39.0, 0.5),
    ("qwen3-30b-a3b", "model card", 30.5, 3.3, 0.05),
    ("qwen3-235b-a22b", "model card", 235.0, 22.0, 0.5),
    ("gpt-oss-120b", "model card", 116.8, 5.1, 0.05),
    ("deepseek-v2", "arXiv 2405.04434", 236.0, 21.0, 0.5),
    ("deepseek-v3", "arXiv 2412.19437", 671.0, 37.0, 0.5),
    ("kimi-k2", "arXiv 2507.20534", 1040.0, 32.0, 15.0), // its own configuration gives 1,026
];

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, source, total, active, most) in SIZES {
        let spec = format!(
            "model.preset = \"{name}\"\ntraining.global_batch = 8\n\
             cluster = {{ gpus = 8, node = \"dgx-h100\" }}\n"
        );
        let scenario = read_scenario(&SpecText::new("sizes.toml", &spec), &[])
            .unwrap_or_else(|problems| panic!("{name}: {}", problems.render(false)));
        // Some authors count the embedding table, of which a token reads one row, some do not.
        let table = scenario.lead_workload().model.embedding_parameters() as f64 / 1e9;
        let printed = [
            ("parameters", total, most, scenario.lead_workload().model.parameters()),
            (
                "active parameters",
                active,
                most.min(0.5) + table,
                scenario.lead_workload().model.active_parameters(),
            ),
        ];
        for (what, expected, most, ours) in printed.into_iter().filter(|row| row.1 > 0.0) {
            rows.push(Row {
                source,
                figure: format!("{name}: {what}, billions"),
                expected,
                tolerance: Tolerance::Absolute(most),
                ours: ours as f64 / 1e9,
            });
        }
    }
    rows
}
