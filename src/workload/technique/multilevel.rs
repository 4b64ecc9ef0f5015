//! Settings of the multi-level cycle.

use crate::keys::{GPUS, Kind, table};

/// Steps over those of the run without the technique.
const STEPS: Kind = Kind::Number { min: 0.0, max: 100.0 };

table! {
    defaults;
    /// Settings of the multi-level cycle (arXiv 2404.07999): down to smaller models and up again.
    ///
    /// The defaults are the authors' GPT-2 script, 100k steps without the cycle and with it 5k, then 50k at half
    /// width and depth; but after it what the paper's runs took, see [`MultiLevel::steps_after`].
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MultiLevel, "the multi-level cycle (arXiv 2404.07999): down to smaller models and up again" {
        /// Levels; 1 is the whole model alone.
        levels: u32 = 2, in Kind::Count { min: 2, max: 8 }, "levels, the whole model included";
        /// What width and depth are divided by from one level to the next.
        factor: u64 = 2, in Kind::Count { min: 2, max: 64 },
            "what width and depth are divided by a level";
        /// Steps of each level on the way down, over those of the run without the cycle.
        before: f64 = 0.05, in STEPS,
            "steps of each level on the way down, over those of an ordinary run";
        /// Steps at the smallest level, likewise.
        small: f64 = 0.5, in STEPS, "steps at the smallest level, likewise";
        /// Steps of each level on the way up, likewise.
        after: Option<f64>, in STEPS, "steps of each level on the way up, likewise"
            or "0.62, with three levels 0.35";
        /// GPUs that train the smaller models, in fewer replicas; `None` for all.
        gpus: Option<u32>, in GPUS, "GPUs that train the smaller models, in fewer replicas" or "all";
    }
}

/// Of an ordinary run's steps what the paper's runs of two levels took after the cycle: the middle of 0.59 to 0.66.
const AFTER_TWO_LEVELS: f64 = 0.62;
/// Likewise its run of three levels, BERT-Large: so many steps on either level save the 51.6 % of the FLOPs that it
/// saved.
const AFTER_THREE_LEVELS: f64 = 0.35;

impl MultiLevel {
    /// Steps of each level on the way up over those of an ordinary run: where none are stated, those of the paper's
    /// runs of as many levels, and of two where it has none.
    #[must_use]
    pub fn steps_after(&self) -> f64 {
        let published = if self.levels == 3 { AFTER_THREE_LEVELS } else { AFTER_TWO_LEVELS };
        self.after.unwrap_or(published)
    }
}
