//! What is said of limits is true when it is followed.

use crate::refuted::run::{answers_long_specs, cost, design, optimal};

/// The limit that `status 3` says would do, as printed.
fn would_do(message: &str) -> Option<&str> {
    message.split(" is possible").next()?.rsplit(' ').next()
}

#[test]
fn racks_that_would_do_do() {
    if !answers_long_specs() {
        return;
    }
    let run = design("racks", &[]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    let racks = would_do(&run.stderr).expect("one number would do");
    let run = design("racks", &[&format!("limits.racks={racks}")]);
    assert_eq!(run.status, 0, "{racks}: {}", run.stderr);
}

/// A hundredth more power buys a cheaper design, so the cap is among the limits that bind.
#[test]
fn power_that_binds_is_listed() {
    let plain = ["cluster.links=by-end", "limits.regular=false"];
    let found = optimal("power_binds", &plain);
    let relaxed = optimal("power_binds", &[plain[0], plain[1], "limits.power=\"400595 W\""]);
    assert!(cost(&relaxed, "capex_usd") < cost(&found, "capex_usd"));
    let binding = found["solver"]["binding"].as_array().expect("limits that bind");
    assert!(binding.iter().any(|bound| bound["limit"] == "limits.power"), "{binding:?}");
}
