//! What each warning means, and what to do about it. Codes are stable; `warning_code` gives them.

use super::term::Code;

const fn warning_entry(code: &'static str, means: &'static str, action: &'static str) -> Code {
    Code { code, means, action }
}

/// All of them, by number.
pub(super) const CODES: [Code; 22] = [
    warning_entry(
        "W01",
        "other designs cost within 0.5 % of this one",
        "choose by what a failure does, by vendor or by delivery: `--section alternatives` lists \
         them",
    ),
    warning_entry(
        "W02",
        "parts without a price: the total is too low",
        "state them under [prices]; until then the design is not ranked by cost",
    ),
    warning_entry(
        "W03",
        "GPUs are bought that hold no work",
        "take the `cluster.gpus` or batch that the warning names, or keep them as spare trays",
    ),
    warning_entry(
        "W04",
        "what the fullest GPU needs lies within the error of the count of what it has: it may not fit",
        "more recomputation, smaller micro-batches or more shards; the warning names the keys",
    ),
    warning_entry(
        "W05",
        "rails that nothing joins save nothing: a full-bisection Clos takes no more of what is minimised",
        "buy the Clos, which joins all GPUs",
    ),
    warning_entry(
        "W06",
        "traffic crosses rails and is forwarded over the HB domain",
        "check that the software forwards (PXN or the like), give jobs whole domains, or ask for a \
         spine",
    ),
    warning_entry(
        "W07",
        "uplinks carry less than 1.25 times what flows need, or less than they could send",
        "balance load packet by packet, or buy more uplinks: `limits.within_rail`",
    ),
    warning_entry(
        "W08",
        "the HB domain can't forward all that the NICs permit",
        "expect slower traffic across rails; take a faster domain, or a spine",
    ),
    warning_entry(
        "W09",
        "a price that decides, or counts, is old",
        "ask again, and state it under [prices]",
    ),
    warning_entry(
        "W10",
        "no step of this GPU was measured: its rates are assumed",
        "measure some, and state them under [hardware.calibrations]: `planner validate FILE`",
    ),
    warning_entry(
        "W11",
        "routing could not check the step time",
        "read the reason; do not sign on the speed",
    ),
    warning_entry(
        "W12",
        "the routing check failed: a link is slower than the step time assumes",
        "the speed does not hold; take more uplinks, or other load balancing",
    ),
    warning_entry(
        "W13",
        "a switch has no price: what its ports cost elsewhere is taken",
        "state `hardware.switches.NAME.price`",
    ),
    warning_entry(
        "W14",
        "the loss of one part stops the whole job until it is repaired",
        "buy spares, a second plane, or `limits.survive`; the warning has the price",
    ),
    warning_entry(
        "W15",
        "a loss leaves less speed than `limits.survive` asks for",
        "read `--section failures`; take more uplinks",
    ),
    warning_entry("W16", "offers that no longer hold", "ask for new ones"),
    warning_entry(
        "W17",
        "a scenario of [robust] is too slow",
        "raise `robust.max_slowdown` or `limits.within_rail`, or take the scenario out",
    ),
    warning_entry(
        "W18",
        "parts or stages keep to `limits.days` where machines alone fail, and not with failures of the network",
        "state fewer days, or more spares",
    ),
    warning_entry(
        "W19",
        "days and cost rest on a technique that was shown on smaller models only",
        "read `--section assumptions`; run a trial",
    ),
    warning_entry(
        "W20",
        "some GPUs of the cluster do not train: no layout divides the batch among all",
        "take the `cluster.gpus` that the warning names, or another batch",
    ),
    warning_entry(
        "W21",
        "prices of the machines to choose from are not of one kind",
        "state `level` and `includes` of each price, or prices of one level",
    ),
    warning_entry(
        "W22",
        "the step is predicted to use its GPUs better than any that was measured",
        "expect a longer step; run a trial, and state what it gives: `planner validate FILE`",
    ),
];
