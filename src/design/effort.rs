//! How much is looked at before a design ends: each limit of effort with its reason. What a limit
//! leaves open is in the gap of the proof, or the report says so; `NETWORKS_APART` alone is taken.

/// Layouts of a machine that are listed for each way to seat them, the fastest first, where layout
/// and network are chosen together. What is in no list has the bound of the last one, which the
/// proof counts; a longer list costs the search in proportion.
pub(super) const LAYOUTS_LISTED: usize = 64;

/// GPUs of uneven domains up to which lists are as long; beyond they are shorter in proportion.
///
pub(super) const ALL_LISTED_UP_TO: u32 = 4096;

/// Layouts that are sized beside the fastest one of each machine. Each is a design of its own; what
/// is left is a gap of the proof.
pub(super) const LAYOUTS_SIZED: usize = 24;

/// Layouts that are tried where the fastest have no design, over those.
pub(super) const LAYOUTS_TRIED_OVER_SIZED: usize = 16;

/// Fabrics of a candidate that are sized one after another where each ends its run too late with
/// what breaks of it; then it counts as without a design.
pub(super) const TRIES_WITHIN_DAYS: usize = 8;

/// At least so many of any number of GPUs.
pub(super) const FEWEST_LAYOUTS_SIZED: usize = 2;

/// GPUs of uneven domains up to which as many are; beyond fewer in proportion.
pub(super) const ALL_SIZED_UP_TO: u32 = 16_384;

/// Candidates of which a fabric of each oversubscription is routed, those with the cheapest
/// machines first.
pub(super) const FALLBACK_CANDIDATES: usize = 4;

/// Interfaces that are routed for these, of all fabrics together: some seconds.
pub(super) const FALLBACK_INTERFACES: u64 = 1 << 20;

/// Interfaces that are routed for a study of limits, of all fabrics together, before the least value
/// that changes the answer is not looked for: some seconds.
pub(super) const STUDY_INTERFACES: u64 = 1 << 20;

/// Designs after which there is none in so few racks.
pub(super) const RACK_ROUNDS: u64 = 16;

/// Interfaces up to which fabrics are wired to be looked at piece by piece and routed: half a
/// second each at most. Beyond, they have the step of the clock, and who prints them says so.
pub(super) const INTERFACES_ROUTED: u64 = 1 << 19;

/// Levels of bandwidth of which step times are kept, before all are worked out anew as they are
/// asked for: some fifty megabytes.
pub(super) const STEP_TIMES_KEPT: usize = (1 << 19) / 8 * 7;

/// Fabrics of which it is kept what losses leave: some megabytes.
pub(super) const LOSSES_KEPT: usize = 512;

/// The effort of a design over that of a study of it, of which there are many.
pub(super) const STUDY_SHARE: u64 = 4;

/// Rounds of shadow prices; the bound stops rising long before.
pub(super) const PRICE_ROUNDS: u32 = 16;

/// Nodes of the solver for each program between rounds, of which any good answer serves.
pub(super) const PRICE_NODES: u64 = 100;

/// Comparisons of partial answers for each of them.
pub(super) const PRICE_COMPARISONS: u64 = 500_000;

/// Steps to make the builds of one share of what lies between bound and answer: some seconds.
pub(super) const PRICE_STEPS: u64 = 1 << 29;

/// Rounds of routing that correct single levels of bandwidth.
pub(super) const ROUTING_ROUNDS: u32 = 8;

/// As many where a round takes milliseconds: fabrics that hardly differ are refuted one by one.
pub(super) const ROUTING_ROUNDS_OF_FEW: u32 = 64;

/// Interfaces up to which a round does.
pub(super) const FEW_INTERFACES: u64 = 8192;

/// Rounds that correct every level at once: they soon leave fabrics without leaf borders.
pub(super) const WIDE_ROUTING_ROUNDS: u32 = 16;

/// Designs after which lengths of cables that still change are taken as they are.
pub(super) const HALL_ROUNDS: usize = 4;

/// What networks of a cluster with other machines on standby differ by at most, over its machines:
/// an assumption. What is best only beyond it is not a candidate.
pub(super) const NETWORKS_APART: f64 = 0.05;

/// Steps in which the way from a limit that does to that of the best token is divided; each is a
/// design.
pub(super) const ADVICE_STEPS: i64 = 4096;

/// Doublings of a step from what a limit states, where a design doesn't say what it needs; each is
/// a design.
pub(super) const LIMIT_DOUBLINGS: u32 = 14;

/// As many where the limit can't be left out, so that nobody knows whether more of it is worth
/// anything.
pub(super) const BLIND_DOUBLINGS: u32 = 4;

/// Doublings of a step beyond what a design takes, until it is surely allowed.
pub(super) const LIMIT_DOUBLINGS_BEYOND: u32 = 40;

/// Designs that are met on the way to the price where the choice changes.
pub(super) const PRICE_RANGE_ROUNDS: usize = 16;

/// Rounds in which prices follow the pieces both ways; after these they only rise, and that ends as
/// tiers do.
pub(super) const VOLUME_PRICE_ROUNDS: usize = 6;

/// Interfaces up to which a limit is relaxed whatever is minimised: beyond, each design may take
/// seconds to route.
pub(super) const FEW_TO_RELAX: u64 = 4096;

/// Choices of machines, over all clusters together, that are sized before the search of several
/// clusters ends unproven.
pub(super) const CHOICES_SIZED: usize = 2_000;

/// Choices of a kind that are sized where none does.
pub(super) const CHOICES_OF_A_KIND: usize = 8;

/// Designs of all clusters on a frontier.
pub(super) const FRONTIER_DESIGNS: usize = 64;

/// Builds of all choices up to which one more choice goes into the program over choices: the solver
/// keeps its table whole, so a larger one costs it in proportion to rows. What stays out was sized
/// and takes more.
pub(super) const CHOICE_BUILDS: usize = 600;
