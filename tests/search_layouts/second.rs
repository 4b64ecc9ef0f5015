//! A second workload of drawn specs, and the tables that state it.

use crate::support::dice::Dice;

/// A second workload that shares the cluster's time.
pub(super) struct Second {
    layers: u32,
    hidden: u32,
    sequence: u32,
    batch: u64,
    /// Tensor-parallel ranks; `None`: open.
    pub(super) tensor: Option<u32>,
    /// Pipeline stages; `None`: open. All else is stated.
    pub(super) pipeline: Option<u32>,
    /// Its share of the time, in hundredths.
    share: u32,
    pub(super) slowdown: f64,
}

/// A layout of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranks {
    tensor: u32,
    pipeline: u32,
}

impl Second {
    /// In a quarter of all specs; its dice are its own, so that all else is as before.
    pub(super) fn drawn(seed: u64, gpus: u32) -> Option<Self> {
        let mut dice = Dice(seed ^ 0x5ec0_4d01);
        dice.roll(2); // the first rolls of seeds in a row are alike
        dice.chance(25).then(|| {
            let second = Self {
                layers: [2, 4][dice.roll(2) as usize],
                hidden: [256, 512, 1024][dice.roll(3) as usize],
                sequence: [256, 512, 1024][dice.roll(3) as usize],
                batch: u64::from(gpus) * [1, 2][dice.roll(2) as usize],
                tensor: dice.chance(70).then(|| [1, 2, 4][dice.roll(3) as usize]),
                pipeline: Some([1, 1, 2][dice.roll(3) as usize]),
                share: dice.between(20, 80) as u32,
                slowdown: [1.0, 1.02, 1.2, 2.0][dice.roll(4) as usize],
            };
            let pipeline = second.pipeline.filter(|_| !dice.chance(50));
            let pipeline = pipeline.filter(|count| gpus.is_multiple_of(*count));
            let ranks = |tensor: &u32| tensor * pipeline.unwrap_or(1);
            let tensor = second.tensor.filter(|count| gpus.is_multiple_of(ranks(count)));
            Self { tensor, pipeline, ..second }
        })
    }

    /// Every layout that it may have.
    pub(super) fn layouts(&self, gpus: u32) -> Vec<Ranks> {
        let tensors = self.tensor.map_or_else(|| (1..=gpus).collect(), |count| vec![count]);
        let pipelines: Vec<u32> =
            self.pipeline.map_or_else(|| (1..=self.layers).collect(), |count| vec![count]);
        let all = tensors.into_iter().flat_map(|tensor: u32| {
            pipelines.iter().map(move |pipeline| Ranks { tensor, pipeline: *pipeline })
        });
        all.filter(|ranks| gpus.is_multiple_of(ranks.tensor * ranks.pipeline)).collect()
    }

    /// What states it where it has the cluster to itself, in a layout.
    pub(super) fn alone(&self, Ranks { tensor, pipeline }: Ranks) -> Vec<String> {
        vec![
            format!("model.layers={}", self.layers),
            format!("model.hidden={}", self.hidden),
            format!("model.sequence={}", self.sequence),
            format!("training.global_batch={}", self.batch),
            "training.micro_batch=1".into(),
            format!("parallelism.tensor={tensor}"),
            format!("parallelism.pipeline={pipeline}"),
            "parallelism.interleave=1".into(),
        ]
    }

    /// Tables of both workloads where what is open of this one stays open.
    pub(super) fn open(&self) -> String {
        let degree = |name, count: Option<u32>| count.map(|count| format!("{name} = {count}, "));
        let degrees = [degree("tensor", self.tensor), degree("pipeline", self.pipeline)];
        let limits = format!("max_slowdown = {}", self.slowdown);
        self.tables("", &limits, &degrees.into_iter().flatten().collect::<String>())
    }

    /// Tables of both workloads where this one has a layout, the step of which takes no longer than so many
    /// seconds; with keys of the first besides its name.
    pub(super) fn stated(&self, first: &str, ranks: Ranks, longest: f64) -> String {
        let Ranks { tensor, pipeline } = ranks;
        let limits = format!("max_slowdown = 1000\nstep_time = \"{longest:.15} s\"");
        self.tables(first, &limits, &format!("tensor = {tensor}, pipeline = {pipeline}, "))
    }

    fn tables(&self, first: &str, limits: &str, degrees: &str) -> String {
        let Self { layers, hidden, sequence, batch, share, .. } = self;
        format!(
            "[[workload]]\nname = \"first\"\n{first}\n[[workload]]\nname = \"second\"\nshare = 0.{share}\n\
             {limits}\nmodel = {{ layers = {layers}, hidden = {hidden}, heads = 16, vocab = 32000, \
             sequence = {sequence} }}\ntraining = {{ global_batch = {batch}, micro_batch = 1 }}\n\
             parallelism = {{ {degrees}interleave = 1 }}\n"
        )
    }
}
