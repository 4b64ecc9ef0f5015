//! The JSON that other people's programs rely on, declared a second time: a key that disappears or
//! changes its type fails here, and so does one that appears and is not a figure of docs/results.md.
//! The plan is made by hand.

use planner::compare::{Baseline, compare_baselines};
use planner::cost::Role;
use planner::fabric::Bisection;
use planner::quantity;
use planner::report::{self, Detail, DomainSheet, Format, RenderOptions};
use planner::spec::{self, presets};
use planner::traffic::{Frequency, Uncounted};
use planner::units::Bytes;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Design {
    schema: String,
    name: String,
    cluster: Cluster,
    model: ModelSize,
    layout: Layout,
    step: Step,
    phases: Vec<Phase>,
    memory: Memory,
    traffic: Traffic,
    #[serde(default)]
    workloads: Vec<Workload>,
    fabric: Fabric,
    routing: Routing,
    #[serde(default)]
    robust: Option<Robust>,
    bom: Vec<Line>,
    cost: Cost,
    #[serde(default)]
    racks: Option<Racks>,
    #[serde(default)]
    headroom: Option<Growth>,
    all_to_all: AllToAll,
    goodput_share: f64,
    failures: Failures,
    solver: Solver,
    #[serde(default)]
    priorities: Vec<Preference>,
    #[serde(default)]
    price_bands: Vec<Band>,
    alternatives: Vec<Alternative>,
    assumptions: Vec<Assumption>,
    warnings: Vec<Warning>,
    #[serde(default)]
    parts: Vec<Body>,
    limits: Vec<StatedLimit>,
    #[serde(default)]
    reference: Option<Reference>,
    decide: Vec<Decide>,
    verdict: Verdict,
    inputs: Inputs,
    digest: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Robust {
    max_slowdown: f64,
    slowdown: Option<f64>,
    too_slow: u64,
    most_uplinks: Option<String>,
    uplinks_share: Option<f64>,
    usd: Option<f64>,
    usd_share: Option<f64>,
    scenarios: Vec<CarriedScenario>,
    left_out: Vec<MissingScenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct CarriedScenario {
    scenario: String,
    step_s: f64,
    slowdown: f64,
    longest_step_s: f64,
    holds: bool,
    uplinks_share: Option<f64>,
    routed: bool,
    not_routed: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct MissingScenario {
    scenario: String,
    reason: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Racks {
    nodes: u64,
    switches: u64,
    limit: Option<u64>,
    fullest_w: f64,
    rack_power_w: Option<f64>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Growth {
    gpus_on_free_ports: u64,
    gpus_before_another_tier: u64,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct AllToAll {
    stored_share: f64,
    pipelined_share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Preference {
    minimize: String,
    given_up_share: f64,
    gained_share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Inputs {
    planner: String,
    question: String,
    asked: std::collections::BTreeMap<String, String>,
    stated: std::collections::BTreeMap<String, String>,
    catalogue: String,
    machines: std::collections::BTreeMap<String, String>,
    price_book: String,
    prices: std::collections::BTreeMap<String, f64>,
    /// Only of what was priced in another currency.
    exchange: Option<std::collections::BTreeMap<String, Exchange>>,
    gate: Rules,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Exchange {
    currency: String,
    usd: f64,
    date: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Rules {
    fail_on: Vec<String>,
    warn_on: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Band {
    part: String,
    price_usd: f64,
    basis: String,
    date: String,
    doubt: Option<String>,
    below_usd: Option<f64>,
    below: Option<String>,
    above_usd: Option<f64>,
    above: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Workload {
    name: String,
    share: f64,
    model: ModelSize,
    layout: Layout,
    step: Step,
    memory: Memory,
    traffic: Traffic,
    training_days: Option<f64>,
    usd_per_million_tokens: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct StepSheet {
    schema: String,
    name: String,
    cluster: Cluster,
    model: ModelSize,
    layout: Layout,
    step: Step,
    phases: Vec<Phase>,
    memory: Memory,
    assumptions: Vec<Assumption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct TrafficSheet {
    schema: String,
    name: String,
    cluster: Cluster,
    layout: Layout,
    traffic: Traffic,
    pair_volumes: PairVolumes,
    not_counted: Vec<NotCounted>,
    assumptions: Vec<Assumption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct NotCounted {
    what: String,
    often: String,
    bytes: u64,
    bytes_a_step: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Phase {
    name: String,
    share_of_steps: f64,
    step_time_s: f64,
    model_flop: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairVolumes {
    busy_pairs: u64,
    percentiles: Vec<Percentile>,
    histogram: Vec<Bin>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Percentile {
    share: f64,
    volume_bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bin {
    from_bytes: u64,
    below_bytes: u64,
    pairs: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct FabricSheet {
    schema: String,
    fabric: Fabric,
    bom: Option<Vec<Line>>,
    network_capex_usd: Option<f64>,
    domains: Vec<Domains>,
    endpoints_asked: u64,
    minimum_cut: Option<Cut>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Cut {
    share: f64,
    halves_tried: usize,
    at_least: f64,
    is_exact: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Domains {
    count: u64,
    product: Option<String>,
    nics: u32,
    nics_a_rail: u32,
    inside: Option<Inside>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inside {
    switches: u32,
    links: u32,
    all_switches: u64,
    all_links: u64,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Cluster {
    gpus: u32,
    node: String,
    hb_domain_size: u32,
    hb_domains: u32,
    used_per_domain: u32,
    hb_inside: Option<Inside>,
    rails: u32,
    nic: String,
    /// Left out of a step, which has no network.
    planes: Option<u32>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct ModelSize {
    /// Left out of a step, as the next one.
    name: Option<String>,
    run_tokens: Option<f64>,
    parameters: u64,
    active_parameters: u64,
    embedding_parameters: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Layout {
    tensor: u32,
    pipeline: u32,
    data: u32,
    gpus_training: u64,
    context: u32,
    expert: u32,
    expert_tensor: u32,
    interleave: u32,
    micro_batch: u64,
    micro_batches: u64,
    sequence_parallel: bool,
    zero: u8,
    shard: Option<u32>,
    recompute: String,
    order: String,
    schedule: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Step {
    time_s: f64,
    compute_s: f64,
    exposed_communication_s: ByKind<f64>,
    bubble_s: f64,
    optimizer_s: f64,
    host_s: f64,
    host_link_s: f64,
    stragglers_s: f64,
    interfaces_busy_s: f64,
    pace_s: f64,
    slowdown: f64,
    #[serde(default)]
    expert_load: Option<f64>,
    #[serde(default)]
    even_experts_time_s: Option<f64>,
    error_band: f64,
    range_rows: u64,
    range_group: String,
    low_time_s: f64,
    high_time_s: f64,
    mfu: f64,
    hfu: f64,
    tokens: u64,
    tokens_per_s_per_gpu: f64,
    model_tflops_per_gpu: f64,
    model_flop: f64,
    hardware_flop: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByKind<T> {
    tensor: T,
    pipeline: T,
    data: T,
    context: T,
    expert: T,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Memory {
    total_bytes: u64,
    weights_bytes: u64,
    gradients_bytes: u64,
    optimizer_bytes: u64,
    activations_bytes: u64,
    overhead_bytes: u64,
    fragmentation_bytes: u64,
    host_bytes: u64,
    capacity_bytes: u64,
    fits: bool,
    stage: u32,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Traffic {
    total_bytes: u64,
    pairs: u64,
    idle_pairs: u64,
    idle_pair_share: f64,
    bytes_by_kind: ByKind<u64>,
    bytes_by_locality: ByLocality,
    max_pair_bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByLocality {
    inside_domain: u64,
    along_rail: u64,
    across_rails: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Routing {
    verified: bool,
    unverified: u32,
    worst_ratio: Option<f64>,
    reason: Option<String>,
    calls: Vec<RoutedCall>,
    loads: Vec<LinkLoad>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct RoutedCall {
    workload: Option<String>,
    communication: String,
    kind: String,
    messages: u64,
    forwarded_bytes: u128,
    granted_s: f64,
    oversubscription_seen: f64,
    sprayed: HotLink,
    adaptive: Option<HotLink>,
    hashed: Option<HotLink>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct HotLink {
    time_s: f64,
    link: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct LinkLoad {
    workload: Option<String>,
    class: String,
    links: u64,
    link_gbit_per_s: f64,
    mean_bytes: u128,
    most_bytes: u128,
    link: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Fabric {
    kind: String,
    planes: u32,
    rails: u32,
    endpoints: u64,
    link_gbit_per_s: f64,
    leafs: u64,
    spines: u64,
    cores: u64,
    switches: u64,
    host_links: u64,
    leaf_spine_links: u64,
    spine_core_links: u64,
    transceivers: u64,
    tiers: Vec<Tier>,
    bisection_share: f64,
    across_rails_share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Tier {
    name: String,
    model: String,
    count: u64,
    radix: u32,
    down: u32,
    up: u32,
    ports_used: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Line {
    part: String,
    role: String,
    count: u64,
    owned: u64,
    spares: u64,
    unit_usd: Option<f64>,
    price_not_found: bool,
    total_usd: f64,
    power_w: f64,
    basis: Option<String>,
    date: Option<String>,
    source: Option<String>,
    /// Only where the price was in another currency.
    exchange: Option<Exchange>,
    /// Only where the price of a machine says what is in it.
    includes: Option<Vec<String>>,
    level: Option<String>,
    /// Only where the price of a machine covers it.
    alone_usd: Option<f64>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Cost {
    network_capex_usd: f64,
    capex_usd: f64,
    network_power_w: f64,
    power_w: f64,
    opex_usd_per_year: f64,
    tco_usd: f64,
    usd_per_million_tokens: Option<f64>,
    training_days: Option<f64>,
    low_usd_per_million_tokens: Option<f64>,
    high_usd_per_million_tokens: Option<f64>,
    low_training_days: Option<f64>,
    high_training_days: Option<f64>,
    training_days_with_failures: Option<f64>,
    low_training_days_with_failures: Option<f64>,
    high_training_days_with_failures: Option<f64>,
    power_with_cooling_w: f64,
    unpriced: Vec<String>,
    not_counted: Vec<String>,
    share_by_basis: Vec<BasisShare>,
    network_capex_range_usd: Option<[f64; 2]>,
    capex_range_usd: Option<[f64; 2]>,
    quotes: Option<Vec<serde_json::Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct BasisShare {
    basis: String,
    share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct StatedLimit {
    key: String,
    is: serde_json::Value,
    may: serde_json::Value,
    is_floor: bool,
    used_share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Reference {
    name: String,
    saving_usd: f64,
    network_saving_usd: f64,
    network_saving_share: Option<f64>,
    token_saving_share: Option<f64>,
    step_change: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Decide {
    text: String,
    code: Option<String>,
    usd: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Verdict {
    form: String,
    text: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "reading them is the test")]
struct Solver {
    name: String,
    status: String,
    gap: f64,
    rival: Option<String>,
    fixed: Option<String>,
    candidates: u64,
    layouts_looked_at: Option<u64>,
    layouts_sized: Option<u64>,
    layouts_gap: Option<f64>,
    binding: Vec<Bound>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Bound {
    limit: String,
    worth: String,
    saving_usd: Option<f64>,
    saving_usd_per_million_tokens: Option<f64>,
    needs: Option<f64>,
    design: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Alternative {
    name: String,
    network_capex_change_usd: f64,
    capex_change_usd: f64,
    step_ratio: f64,
    usd_per_token_ratio: Option<f64>,
    standing: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Assumption {
    topic: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Warning {
    code: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Comparison {
    schema: String,
    name: String,
    designs: Vec<Body>,
    against: Vec<Against>,
    missing: Vec<String>,
    attribution: Option<Attribution>,
    #[serde(default)]
    each: Vec<One>,
}

/// One of several clusters in a comparison.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct One {
    name: String,
    designs: Vec<Body>,
    against: Vec<Against>,
    missing: Vec<String>,
    attribution: Option<Attribution>,
}

/// A design within a comparison: all keys but the schema.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Body {
    name: String,
    cluster: Cluster,
    model: ModelSize,
    layout: Layout,
    step: Step,
    phases: Vec<Phase>,
    memory: Memory,
    traffic: Traffic,
    #[serde(default)]
    workloads: Vec<Workload>,
    fabric: Fabric,
    routing: Option<Routing>, // of the design alone: baselines are counted, not routed
    bom: Vec<Line>,
    cost: Cost,
    #[serde(default)]
    racks: Option<Racks>,
    #[serde(default)]
    headroom: Option<Growth>,
    all_to_all: AllToAll,
    goodput_share: f64,
    failures: Failures,
    solver: Solver,
    #[serde(default)]
    priorities: Vec<Preference>,
    #[serde(default)]
    price_bands: Vec<Band>,
    alternatives: Vec<Alternative>,
    assumptions: Vec<Assumption>,
    warnings: Vec<Warning>,
    #[serde(default)]
    parts: Vec<Body>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Against {
    baseline: String,
    name: String,
    network_capex_saving: Option<f64>,
    network_capex_saving_usd: f64,
    network_capex_saving_range_usd: Option<[f64; 2]>,
    capex_saving_usd: f64,
    power_saving: Option<f64>,
    power_saving_w: f64,
    slowdown: f64,
    usd_per_million_tokens_saving: Option<f64>,
    usd_per_million_tokens_saving_interval: Option<[f64; 2]>,
    usd_per_million_tokens_intervals_overlap: Option<bool>,
    #[serde(default)]
    unpriced: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Attribution {
    contributions: Vec<Contribution>,
    planes: u32,
    clos_tiers: u32,
    rail_tiers: u32,
    rails_share: f64,
    sentence: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Failures {
    stops_per_year: f64,
    network_stops_per_year: f64,
    days_lost_per_year: f64,
    network_days_lost_per_year: f64,
    usd_lost_per_year: f64,
    standby_domains: u64,
    standby_wired_domains: u64,
    checkpoint_interval_s: Option<f64>,
    worst_part: String,
    worst_gpus: u64,
    worst_pace_share: f64,
    pace_left_share: Option<f64>,
    survival_usd: Option<f64>,
    survival_usd_per_million_tokens: Option<f64>,
    survival_w: Option<f64>,
    survival_share: Option<f64>,
    whole_domains_share: Option<f64>,
    spare_trays: Option<u64>,
    stranded_gpus_share: Option<f64>,
    basis: String,
    faults: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Fault {
    fault: String,
    pieces: u64,
    per_year: f64,
    network: bool,
    stops: bool,
    gpus: u64,
    pace_share: f64,
    response: String,
    days_lost_per_year: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Contribution {
    cause: String,
    saving_usd: f64,
}

const JSON: RenderOptions<'_> =
    RenderOptions { format: Format::Json, colour: false, detail: Detail::Usual };

#[track_caller]
fn read<T: for<'de> Deserialize<'de>>(text: &str) -> T {
    assert!(text.ends_with("}\n"), "ends with a line break");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

#[test]
fn a_design_has_the_keys_of_the_contract_in_their_order() {
    let text = report::render_design(&crate::pages::plan::plan(), JSON);
    let design: Design = read(&text);
    assert_eq!(design.schema, "planner/design/1");
    let value: serde_json::Value = read(&text);
    let keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "schema",
            "name",
            "cluster",
            "model",
            "layout",
            "step",
            "phases",
            "memory",
            "traffic",
            "fabric",
            "routing",
            "bom",
            "cost",
            "headroom",
            "all_to_all",
            "goodput_share",
            "failures",
            "solver",
            "price_bands",
            "alternatives",
            "assumptions",
            "warnings",
            "limits",
            "decide",
            "verdict",
            "inputs",
            "digest"
        ]
    );
}

#[test]
fn the_page_of_figures_is_the_one_in_docs() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, quantity::quantities_page()).expect("a writable folder");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found,
        quantity::quantities_page(),
        "run `BLESS=1 cargo test --test reports json::`"
    );
}

/// Keys of numbers, names and switches below a value, in their order; lists are no figures.
fn figures(key: &str, value: &serde_json::Value, found: &mut Vec<(String, serde_json::Value)>) {
    match value {
        serde_json::Value::Array(_) => {}
        serde_json::Value::Object(inner) => {
            for (name, inner) in inner {
                figures(&format!("{key}.{name}"), inner, found);
            }
        }
        other => found.push((key.to_owned(), other.clone())),
    }
}

/// The page is read as a reader of the docs would, so that it and JSON can't say different things.
#[test]
fn a_design_has_the_figures_of_the_page_in_its_order_and_of_its_kinds() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md");
    let page = std::fs::read_to_string(&path).expect("the page of figures");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let value: serde_json::Value = read(&report::render_design(&crate::pages::plan::plan(), JSON));
    let sections = page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`'));
    let mut stated = Vec::new();
    for section in sections.filter(|section| !value[section].is_null()) {
        figures(section, &value[section], &mut stated);
    }
    assert!(stated.len() > 90, "{}", stated.len());
    let place = |key: &str| rows.iter().position(|row| row[1] == format!("`{key}`"));
    let mut last = None;
    for (key, value) in &stated {
        // What has no value may stand for a group of figures.
        let Some(at) = place(key) else {
            assert!(value.is_null(), "docs/results.md has no `{key}`");
            continue;
        };
        assert!(last < Some(at), "`{key}` stands in another order");
        last = Some(at);
        let fits = match rows[at][2] {
            _ if value.is_null() => rows[at][4].is_empty(),
            "pieces" | "bytes" => value.is_u64(),
            "name" => value.is_string(),
            "true or false" => value.is_boolean(),
            _ => value.is_f64(),
        };
        assert!(fits, "`{key}` is {value}, and {} on the page", rows[at][2]);
    }
    for row in rows.iter().filter(|row| row[4] == "yes" && row[1] != "`price_not_found`") {
        assert!(stated.iter().any(|(key, _)| row[1] == format!("`{key}`")), "no {}", row[1]);
    }
}

#[test]
fn parts_sum_to_their_whole() {
    let design: Design = read(&report::render_design(&crate::pages::plan::plan(), JSON));
    let step = &design.step;
    let exposed = &step.exposed_communication_s;
    let sum = step.compute_s
        + exposed.tensor
        + exposed.pipeline
        + exposed.data
        + exposed.context
        + exposed.expert
        + step.bubble_s
        + step.optimizer_s
        + step.host_s
        + step.host_link_s
        + step.stragglers_s;
    assert!((sum - step.time_s).abs() < 1e-9, "{sum} and {}", step.time_s);

    let memory = &design.memory;
    let sum = memory.weights_bytes
        + memory.gradients_bytes
        + memory.optimizer_bytes
        + memory.activations_bytes
        + memory.overhead_bytes
        + memory.fragmentation_bytes;
    assert_eq!(sum, memory.total_bytes);

    let traffic = &design.traffic;
    let kinds = &traffic.bytes_by_kind;
    let places = &traffic.bytes_by_locality;
    let by_kind = kinds.tensor + kinds.pipeline + kinds.data + kinds.context + kinds.expert;
    assert_eq!(by_kind, traffic.total_bytes);
    assert_eq!(places.inside_domain + places.along_rail + places.across_rails, traffic.total_bytes);

    let fabric = &design.fabric;
    assert_eq!(fabric.leafs + fabric.spines + fabric.cores, fabric.switches);
    assert_eq!(
        2 * (fabric.host_links + fabric.leaf_spine_links + fabric.spine_core_links),
        fabric.transceivers
    );
}

#[test]
fn a_part_without_a_price_has_null_for_it() {
    let design: Design = read(&report::render_design(&crate::pages::plan::plan(), JSON));
    let fibre = design.bom.iter().find(|line| line.part == "fibre").expect("it is on the bill");
    assert_eq!(fibre.unit_usd, None);
    assert_eq!(fibre.basis, None);
}

/// The sheet of the only cluster of a scenario.
fn alone<T>(sheet: T) -> report::ClusterSheets<'static, T> {
    report::ClusterSheets { name: "", each: vec![(&planner::scenario::ClusterName::Whole, sheet)] }
}

#[test]
fn a_step_a_matrix_and_a_fabric_have_the_keys_of_a_design() {
    let plan = crate::pages::plan::plan();
    let source = presets::ready_spec("gpt3-175b-a100-1536").expect("it ships");
    let scenario = spec::read_scenario(&source, &[]).expect("what ships is sound");
    let (step_plan, matrix) = planner::design::step_and_traffic(&scenario).expect("it fits");
    let framework = &presets::preset_frameworks()["megatron-2024"];
    let sheet = report::StepSheet { name: &plan.name, step: &step_plan, framework };
    let step: StepSheet = read(&report::render_step(&alone(sheet), JSON));
    assert_eq!(step.schema, "planner/step/1");
    let left_out = [Uncounted {
        what: "a checkpoint",
        often: Frequency::Checkpoint,
        bytes: Bytes::from_gib(1),
    }];
    let traffic: TrafficSheet = read(&report::render_traffic(
        &alone(report::TrafficSheet {
            name: &plan.name,
            step: &step_plan,
            distribution: &matrix.volume_distribution(),
            matrix: None,
            notes: &plan.assumptions,
            uncounted: &left_out.map(|left_out_part| (left_out_part, None)),
        }),
        JSON,
    ));
    assert_eq!(traffic.schema, "planner/traffic/1");
    assert_eq!(traffic.not_counted.len(), 1);
    let volumes = &traffic.pair_volumes;
    assert_eq!(volumes.histogram.iter().map(|bin| bin.pairs).sum::<u64>(), volumes.busy_pairs);
    assert!(volumes.histogram.iter().all(|bin| bin.below_bytes == 2 * bin.from_bytes));
    assert!(volumes.percentiles.is_sorted_by_key(|percentile| percentile.volume_bytes));
    assert_eq!(volumes.percentiles[1].share, 0.5);
    let domains = [DomainSheet {
        count: 128,
        product: Some("dgx-h100".into()),
        nics: 8,
        nics_a_rail: 1,
        inside: presets::preset_nodes()["dgx-h100"].inside_of_domains(128),
    }];
    let switches: Vec<_> =
        plan.bill.iter().filter(|line| line.role == Role::Switch).cloned().collect();
    let bill = Some((&switches[..], switches.iter().map(|line| line.total).sum()));
    let counts = &plan.fabric;
    let asked = counts.endpoints;
    let sheet = report::FabricSheet {
        counts,
        asked,
        bill,
        domains: &domains,
        graph: None,
        bisection: Bisection::from_counts(counts, None),
    };
    let fabric: FabricSheet = read(&report::render_fabric(&sheet, JSON));
    assert_eq!(fabric.schema, "planner/fabric/1");
    let lines = fabric.bom.expect("the models are known");
    let sum: f64 = lines.iter().map(|line| line.total_usd).sum();
    assert!((sum - fabric.network_capex_usd.expect("summed")).abs() < 0.01);
    let inside = fabric.domains[0].inside.as_ref().expect("stated");
    assert_eq!((inside.switches, inside.links), (4, 144));
    assert_eq!((inside.all_switches, inside.all_links), (512, 18_432));
}

#[test]
fn a_comparison_of_parts_has_each_of_them() {
    let source = presets::ready_spec("two-products").expect("it ships");
    let scenario = spec::read_scenario(&source, &[]).expect("what ships is sound");
    let comparison = compare_baselines(&scenario, &[Baseline::Clos]).expect("there is a design");
    let read: Comparison = read(&report::render_comparison(&comparison, JSON));
    assert_eq!(read.designs[0].parts.len(), 2);
    let names: Vec<&str> = read.each.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["experts", "dense"]);
    for (place, whole) in read.against.iter().enumerate() {
        let each = read.each.iter().map(|one| one.against[place].network_capex_saving_usd);
        assert!((each.sum::<f64>() - whole.network_capex_saving_usd).abs() < 0.01);
    }
}

#[test]
fn a_comparison_adds_up() {
    let source = presets::ready_spec("gpt3-175b-a100-1536").expect("it ships");
    let scenario = spec::read_scenario(&source, &[]).expect("what ships is sound");
    let baselines = [Baseline::Clos, Baseline::RailOnly];
    let comparison = compare_baselines(&scenario, &baselines).expect("there is a design");
    let read: Comparison = read(&report::render_comparison(&comparison, JSON));
    assert_eq!(read.schema, "planner/compare/1");
    assert_eq!(read.designs.len(), read.against.len() + 1);
    let network = |body: &Body| body.cost.network_capex_usd;
    for (body, against) in read.designs[1..].iter().zip(&read.against) {
        assert_eq!(body.name, against.name);
        let difference = network(body) - network(&read.designs[0]);
        assert!((difference - against.network_capex_saving_usd).abs() < 0.01, "{}", body.name);
    }
    let origin = read.attribution.expect("the design's switch can build a Clos");
    let sum: f64 = origin.contributions.iter().map(|contribution| contribution.saving_usd).sum();
    assert!((sum - read.against[0].network_capex_saving_usd).abs() < 0.01, "{sum}");
}
