//! GPUs and calibrations of one's own: nothing computes faster than its peak, and no step is
//! endless.

use crate::refuted::run::{design, proven};

#[test]
fn nothing_is_faster_than_its_peak() {
    for spec in ["own_gpu_h20", "own_gpu_or_h100", "own_gpu_a30"] {
        let found = proven(spec, &[]);
        let mfu = found["step"]["mfu"].as_f64().expect("a step has its share of the peak");
        assert!(mfu > 0.0 && mfu <= 1.0, "{spec}: {mfu}");
    }
}

/// About a seventh of the H100's peak at two thirds of the price.
#[test]
fn a_slow_gpu_is_not_chosen_for_its_speed() {
    let found = proven("own_gpu_or_h100", &[]);
    assert_eq!(found["cluster"]["node"], "dgx-h100");
}

#[test]
fn a_share_above_one_is_refused() {
    let run = design("shares_above_one", &[]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("mxfp8_share"), "{}", run.stderr);
}
