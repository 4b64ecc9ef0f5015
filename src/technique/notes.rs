//! What a reader has to know of the techniques that are on: where they were shown to work, and
//! what is taken for granted beyond that.

use crate::scenario::Assumption;
use crate::workload::{Scope, Technique, Techniques};

/// Validity and assumptions of every technique that is on, and that none was tried with another.
#[must_use]
pub fn notes(techniques: &Techniques) -> Vec<Assumption> {
    let mut all = Vec::new();
    for technique in &techniques.on {
        let topic = format!("technique.{}", technique.key());
        let texts = of(*technique, techniques);
        all.extend(texts.into_iter().map(|text| Assumption { topic: topic.clone(), text }));
    }
    if techniques.on.len() > 1 {
        let names: Vec<&str> = techniques.on.iter().map(|technique| technique.key()).collect();
        all.push(Assumption {
            topic: "technique".into(),
            text: format!("{} together: composition untested", names.join(" and ")),
        });
    }
    all
}

fn of(technique: Technique, techniques: &Techniques) -> Vec<String> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match technique {
        Technique::Demo => demo(techniques),
        Technique::Offload => owned(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); synchronous, so training \
             is that of Adam",
            "the host link carries one direction at a time, and no other GPU's traffic",
        ]),
        Technique::Swap => swap(techniques),
        Technique::MessageDriven => owned(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); the bubble stays that of \
             1F1B, messages hide behind compute",
        ]),
        Technique::Sil => owned(&[
            "quality unverified: tested on networks of six fully connected layers only (arXiv \
             2403.11204), on no transformer",
            "an upper bound: what pipeline messages and the bubble cost, if nothing else changed",
        ]),
        Technique::MultiLevel => owned(&[
            "shown up to 0.34B parameters (arXiv 2404.07999); that the run ends as good as \
             `training.tokens` of ordinary steps is taken for granted beyond",
            "the network and the memory are those of the whole model; coalescing takes no time",
        ]),
        Technique::FusedTensor => owned(&[
            "up to 96 % of tensor-parallel communication hides in the multiplications around it \
             (arXiv 2406.06858, on A100 and H800); the bytes stay",
        ]),
        Technique::NarrowPipeline => owned(&[
            "8-bit messages between stages, shown up to 1B parameters (arXiv 2301.11913); \
             conversion takes no time here",
        ]),
    }
}

fn swap(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "shown for models of the size of Megatron-LM and Turing-NLG under data parallelism alone, \
         on V100 (arXiv 2008.11421); nothing is rounded, so training is the same"
            .to_owned(),
        "what layers keep goes to the host beside the forward pass and comes back beside the \
         backward pass, one layer's is on its way at a time; only what outlasts a pass is seen, and \
         no other GPU's traffic is on the link"
            .to_owned(),
    ];
    if techniques.swap.parameters() {
        texts.push(
            "weights come for the forward and for the backward pass of every micro-batch and go \
             back once, updated; the update stays on the GPU (the paper's is on the host)"
                .to_owned(),
        );
    }
    texts
}

fn demo(techniques: &Techniques) -> Vec<String> {
    let settings = &techniques.demo;
    let mut texts = vec![
        "shown up to 1.2B parameters and 105B tokens on full replicas (arXiv 2411.19870); that \
         training is as good beyond is taken for granted"
            .to_owned(),
        format!(
            "{} of a chunk's components are sent, {} B each; two gathers a step, all matrices in \
             one, nothing hides them (the authors' code sends two for each matrix)",
            settings.top_k,
            settings.component_bytes()
        ),
    ];
    if settings.scope == Scope::Domains {
        texts.push(
            "across domains only (FlexDeMo, arXiv 2502.06728): gradients are summed in full inside \
             a domain"
                .to_owned(),
        );
    }
    texts
}
