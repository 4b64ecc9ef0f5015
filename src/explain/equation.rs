//! The equations that explanations cite, each with its public source. The equations themselves
//! stand in docs/equations.md.

/// A section of docs/equations.md and who published it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The section.
    pub section: &'static str,
    /// Its source; "derived" where docs/equations.md gives the arithmetic.
    pub source: &'static str,
}

impl Equation {
    const fn new(section: &'static str, source: &'static str) -> Self {
        Self { section, source }
    }
}

const NARAYANAN_PIPELINE: &str = "Narayanan et al., arXiv 2104.04473, section 2.2";
const RAIL_ONLY: &str = "Wang et al., arXiv 2307.12169, Table 2";
const DERIVED: &str = "derived";

pub(super) const MODEL_FLOPS: Equation =
    Equation::new("docs/equations.md §2.2", "Narayanan et al., arXiv 2104.04473, Eq. 3");
pub(super) const UTILISATION: Equation =
    Equation::new("docs/equations.md §2.3", "Chowdhery et al., arXiv 2204.02311, appendix B");
pub(super) const SCORES: Equation =
    Equation::new("docs/equations.md §2.4", "Dao, arXiv 2307.08691, section 3.1");
pub(super) const ROOFLINE: Equation =
    Equation::new("docs/equations.md §2.5", "Williams, Waterman and Patterson, CACM 2009");
pub(super) const MEMORY_BOUND: Equation =
    Equation::new("docs/equations.md §2.6", "Korthikanti et al., arXiv 2205.05198, section 4");
pub(super) const COLLECTIVES: Equation = Equation::new(
    "docs/equations.md §3.1",
    "Thakur, Rabenseifner and Gropp, IJHPCA 2005; Patarasuk and Yuan, JPDC 2009",
);
pub(super) const HIERARCHICAL: Equation = Equation::new("docs/equations.md §3.2", DERIVED);
pub(super) const TENSOR: Equation = Equation::new(
    "docs/equations.md §3.3",
    "Shoeybi et al., arXiv 1909.08053, section 3; Korthikanti et al., arXiv 2205.05198, \
     section 4.2.2",
);
pub(super) const MESSAGES: Equation =
    Equation::new("docs/equations.md §3.4", "Narayanan et al., arXiv 2104.04473, section 4.1");
pub(super) const DATA: Equation =
    Equation::new("docs/equations.md §3.5", "Rajbhandari et al., arXiv 1910.02054, section 7");
pub(super) const TIED: Equation = Equation::new("docs/equations.md §3.6", NARAYANAN_PIPELINE);
pub(super) const EXPERT: Equation = Equation::new("docs/equations.md §3.7", DERIVED);
pub(super) const CONTEXT: Equation = Equation::new(
    "docs/equations.md §3.8",
    "Grattafiori et al., arXiv 2407.21783, section 3.3.2; Liu et al., arXiv 2310.01889",
);
pub(super) const STAGES: Equation = Equation::new("docs/equations.md §4.1", DERIVED);
pub(super) const ONE_F_ONE_B: Equation =
    Equation::new("docs/equations.md §4.2", NARAYANAN_PIPELINE);
pub(super) const INTERLEAVED: Equation =
    Equation::new("docs/equations.md §4.3", NARAYANAN_PIPELINE);
pub(super) const OVERLAP: Equation = Equation::new("docs/equations.md §4.5", DERIVED);
pub(super) const OPTIMIZER: Equation = Equation::new("docs/equations.md §4.6", DERIVED);
pub(super) const STRAGGLERS: Equation = Equation::new("docs/equations.md §4.7", DERIVED);
pub(super) const COLLECTIVE_TIME: Equation =
    Equation::new("docs/equations.md §4.8", "Thakur, Rabenseifner and Gropp, IJHPCA 2005");
pub(super) const HOST: Equation = Equation::new("docs/equations.md §4.9", DERIVED);
pub(super) const ZERO_BUBBLE: Equation =
    Equation::new("docs/equations.md §4.10", "Qi et al., arXiv 2401.10241, Table 2");
pub(super) const MESSAGE_DRIVEN: Equation =
    Equation::new("docs/equations.md §4.11", "Singh and Bhatele, arXiv 2110.13005");
pub(super) const ERROR_BAND: Equation = Equation::new("docs/equations.md §4.12", DERIVED);
pub(super) const STATES: Equation =
    Equation::new("docs/equations.md §5.1", "Rajbhandari et al., arXiv 1910.02054, section 3");
pub(super) const ACTIVATIONS: Equation =
    Equation::new("docs/equations.md §5.2", "Korthikanti et al., arXiv 2205.05198, Eq. 1 to 4");
pub(super) const IN_FLIGHT: Equation = Equation::new(
    "docs/equations.md §5.3",
    "Korthikanti et al., arXiv 2205.05198, section 4.2.3 and appendix C",
);
pub(super) const TIERS: Equation =
    Equation::new("docs/equations.md §7.1", "Al-Fares et al., SIGCOMM 2008");
pub(super) const LINKS: Equation = Equation::new("docs/equations.md §7.3", RAIL_ONLY);
pub(super) const TWO_TIERS: Equation = Equation::new("docs/equations.md §7.4", DERIVED);
pub(super) const THREE_TIERS: Equation = Equation::new("docs/equations.md §7.5", DERIVED);
pub(super) const RATIOS: Equation = Equation::new("docs/equations.md §7.6", DERIVED);
pub(super) const PLANES: Equation = Equation::new("docs/equations.md §7.7", DERIVED);
pub(super) const ROOM: Equation = Equation::new("docs/equations.md §7.12", DERIVED);
pub(super) const RACKS: Equation = Equation::new("docs/equations.md §7.13", DERIVED);
pub(super) const FORWARDING: Equation = Equation::new("docs/equations.md §8.2", DERIVED);
pub(super) const PIPELINED_FORWARDING: Equation = Equation::new("docs/equations.md §8.3", DERIVED);
pub(super) const LEAF_CUT: Equation = Equation::new("docs/equations.md §8.5", DERIVED);
pub(super) const ROUTED: Equation = Equation::new("docs/equations.md §8.6", DERIVED);
pub(super) const NETWORK_CAPITAL: Equation = Equation::new("docs/equations.md §9.1", DERIVED);
pub(super) const CAPITAL: Equation = Equation::new("docs/equations.md §9.2", DERIVED);
pub(super) const POWER: Equation = Equation::new("docs/equations.md §9.3", DERIVED);
pub(super) const OWNERSHIP: Equation = Equation::new("docs/equations.md §9.4", DERIVED);
pub(super) const TOKEN_COST: Equation = Equation::new("docs/equations.md §9.5", DERIVED);
pub(super) const SPARES: Equation =
    Equation::new("docs/equations.md §9.7", "Feeney and Sherbrooke, Management Science 1966");
pub(super) const SHARED_TOKEN_COST: Equation = Equation::new("docs/equations.md §9.8", DERIVED);
pub(super) const FIRMNESS: Equation = Equation::new("docs/equations.md §9.10", DERIVED);
pub(super) const DEMO: Equation =
    Equation::new("docs/equations.md §10.1", "Peng, Quesnelle and Kingma, arXiv 2411.19870");
pub(super) const FLEX_DEMO: Equation =
    Equation::new("docs/equations.md §10.2", "From et al., arXiv 2502.06728");
pub(super) const OFFLOAD: Equation =
    Equation::new("docs/equations.md §10.3", "Singh and Bhatele, arXiv 2110.13005");
pub(super) const SWAP: Equation =
    Equation::new("docs/equations.md §10.7", "KARMA, arXiv 2008.11421");
pub(super) const ALONE: Equation =
    Equation::new("docs/equations.md §10.5", "arXiv 2403.11204; derived");
pub(super) const RATES: Equation = Equation::new(
    "docs/equations.md §11.1",
    "Grattafiori et al., arXiv 2407.21783, Table 5; Qian et al., SIGCOMM 2024",
);
pub(super) const GOODPUT: Equation =
    Equation::new("docs/equations.md §11.2", "Young, Comm. ACM 1974; derived");
pub(super) const STANDBY: Equation = Equation::new("docs/equations.md §11.3", "Palm's theorem");
