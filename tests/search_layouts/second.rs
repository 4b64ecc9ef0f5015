//! A second workload of drawn specs, and the tables that state it.

use crate::dice::Dice;
use crate::joint::setting;

/// A second workload that shares the cluster's time.
pub(super) struct Second {
    layers: u32,
    hidden: u32,
    sequence: u32,
    batch: u64,
    /// Tensor-parallel ranks; `None`: open, all else is stated.
    pub(super) tensor: Option<u32>,
    pipeline: u32,
    /// Its share of the time, in hundredths.
    share: u32,
    slowdown: f64,
}

impl Second {
    /// In a quarter of all specs; its dice are its own, so that all else is as before.
    pub(super) fn drawn(seed: u64, gpus: u32) -> Option<Self> {
        let mut dice = Dice(seed ^ 0x5ec0_4d01);
        dice.roll(2); // the first rolls of seeds in a row are alike
        dice.chance(setting("JOINT_TWO", 25)).then(|| Self {
            layers: [2, 4][dice.roll(2) as usize],
            hidden: [256, 512, 1024][dice.roll(3) as usize],
            sequence: [256, 512, 1024][dice.roll(3) as usize],
            batch: u64::from(gpus) * [1, 2][dice.roll(2) as usize],
            tensor: dice.chance(70).then(|| [1, 2, 4][dice.roll(3) as usize]),
            pipeline: [1, 1, 2][dice.roll(3) as usize],
            share: dice.between(20, 80) as u32,
            slowdown: [1.0, 1.02, 1.2, 2.0][dice.roll(4) as usize],
        })
    }

    /// Tensor-parallel ranks that its layout may have.
    pub(super) fn tensors(&self, gpus: u32) -> Vec<u32> {
        let whole = |tensor: &u32| gpus.is_multiple_of(tensor * self.pipeline);
        self.tensor.map_or_else(|| (1..=gpus).filter(whole).collect(), |of| vec![of])
    }

    /// What states it where it has the cluster to itself, with so many tensor-parallel ranks.
    pub(super) fn alone(&self, tensor: u32) -> Vec<String> {
        vec![
            format!("model.layers={}", self.layers),
            format!("model.hidden={}", self.hidden),
            format!("model.sequence={}", self.sequence),
            format!("training.global_batch={}", self.batch),
            "training.micro_batch=1".into(),
            format!("parallelism.tensor={tensor}"),
            format!("parallelism.pipeline={}", self.pipeline),
            "parallelism.interleave=1".into(),
        ]
    }

    /// Tables of both workloads: keys of the first besides its name, and tensor-parallel ranks of this one where
    /// they are stated.
    pub(super) fn tables(&self, first: &str, tensor: Option<u32>) -> String {
        let Self { layers, hidden, sequence, batch, pipeline, share, slowdown, .. } = self;
        let tensor = tensor.map_or_else(String::new, |of| format!("tensor = {of}, "));
        format!(
            "[[workload]]\nname = \"first\"\n{first}\n[[workload]]\nname = \"second\"\nshare = 0.{share}\n\
             max_slowdown = {slowdown}\nmodel = {{ layers = {layers}, hidden = {hidden}, heads = 16, \
             vocab = 32000, sequence = {sequence} }}\ntraining = {{ global_batch = {batch}, micro_batch = 1 }}\n\
             parallelism = {{ {tensor}pipeline = {pipeline}, interleave = 1 }}\n"
        )
    }
}
