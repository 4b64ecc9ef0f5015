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

pub(crate) const PARAMETERS: Equation = Equation::new("docs/equations.md §1.4", DERIVED);
pub(crate) const MODEL_FLOPS: Equation =
    Equation::new("docs/equations.md §2.2", "Narayanan et al., arXiv 2104.04473, Eq. 3");
pub(crate) const UTILISATION: Equation =
    Equation::new("docs/equations.md §2.3", "Chowdhery et al., arXiv 2204.02311, appendix B");
pub(crate) const SCORES: Equation =
    Equation::new("docs/equations.md §2.4", "Dao, arXiv 2307.08691, section 3.1");
pub(crate) const ROOFLINE: Equation =
    Equation::new("docs/equations.md §2.5", "Williams, Waterman and Patterson, CACM 2009");
pub(crate) const MEMORY_BOUND: Equation =
    Equation::new("docs/equations.md §2.6", "Korthikanti et al., arXiv 2205.05198, section 4");
pub(crate) const COLLECTIVES: Equation = Equation::new(
    "docs/equations.md §3.1",
    "Thakur, Rabenseifner and Gropp, IJHPCA 2005; Patarasuk and Yuan, JPDC 2009",
);
pub(crate) const HIERARCHICAL: Equation = Equation::new("docs/equations.md §3.2", DERIVED);
pub(crate) const TENSOR: Equation = Equation::new(
    "docs/equations.md §3.3",
    "Shoeybi et al., arXiv 1909.08053, section 3; Korthikanti et al., arXiv 2205.05198, \
     section 4.2.2",
);
pub(crate) const MESSAGES: Equation =
    Equation::new("docs/equations.md §3.4", "Narayanan et al., arXiv 2104.04473, section 4.1");
pub(crate) const DATA: Equation =
    Equation::new("docs/equations.md §3.5", "Rajbhandari et al., arXiv 1910.02054, section 7");
pub(crate) const TIED: Equation = Equation::new("docs/equations.md §3.6", NARAYANAN_PIPELINE);
pub(crate) const EXPERT: Equation = Equation::new("docs/equations.md §3.7", DERIVED);
pub(crate) const EXPERT_LOAD: Equation = Equation::new("docs/equations.md §3.20", DERIVED);
pub(crate) const CONTEXT: Equation = Equation::new(
    "docs/equations.md §3.8",
    "Grattafiori et al., arXiv 2407.21783, section 3.3.2; Liu et al., arXiv 2310.01889",
);
pub(crate) const STAGES: Equation = Equation::new("docs/equations.md §4.1", DERIVED);
pub(crate) const ONE_F_ONE_B: Equation =
    Equation::new("docs/equations.md §4.2", NARAYANAN_PIPELINE);
pub(crate) const INTERLEAVED: Equation =
    Equation::new("docs/equations.md §4.3", NARAYANAN_PIPELINE);
pub(crate) const OVERLAP: Equation = Equation::new("docs/equations.md §4.5", DERIVED);
pub(crate) const OPTIMIZER: Equation = Equation::new("docs/equations.md §4.6", DERIVED);
pub(crate) const STRAGGLERS: Equation = Equation::new("docs/equations.md §4.7", DERIVED);
pub(crate) const COLLECTIVE_TIME: Equation =
    Equation::new("docs/equations.md §4.8", "Thakur, Rabenseifner and Gropp, IJHPCA 2005");
pub(crate) const HOST: Equation = Equation::new("docs/equations.md §4.9", DERIVED);
pub(crate) const ZERO_BUBBLE: Equation =
    Equation::new("docs/equations.md §4.10", "Qi et al., arXiv 2401.10241, Table 2");
pub(crate) const MESSAGE_DRIVEN: Equation =
    Equation::new("docs/equations.md §4.11", "Singh and Bhatele, arXiv 2110.13005");
pub(crate) const ERROR_BAND: Equation = Equation::new("docs/equations.md §4.12", DERIVED);
pub(crate) const STATES: Equation =
    Equation::new("docs/equations.md §5.1", "Rajbhandari et al., arXiv 1910.02054, section 3");
pub(crate) const ACTIVATIONS: Equation =
    Equation::new("docs/equations.md §5.2", "Korthikanti et al., arXiv 2205.05198, Eq. 1 to 4");
pub(crate) const IN_FLIGHT: Equation = Equation::new(
    "docs/equations.md §5.3",
    "Korthikanti et al., arXiv 2205.05198, section 4.2.3 and appendix C",
);
pub(crate) const TIERS: Equation =
    Equation::new("docs/equations.md §7.1", "Al-Fares et al., SIGCOMM 2008");
pub(crate) const LINKS: Equation = Equation::new("docs/equations.md §7.3", RAIL_ONLY);
pub(crate) const TWO_TIERS: Equation = Equation::new("docs/equations.md §7.4", DERIVED);
pub(crate) const THREE_TIERS: Equation = Equation::new("docs/equations.md §7.5", DERIVED);
pub(crate) const RATIOS: Equation = Equation::new("docs/equations.md §7.6", DERIVED);
pub(crate) const PLANES: Equation = Equation::new("docs/equations.md §7.7", DERIVED);
pub(crate) const ROOM: Equation = Equation::new("docs/equations.md §7.12", DERIVED);
pub(crate) const RACKS: Equation = Equation::new("docs/equations.md §7.13", DERIVED);
pub(crate) const MODULES: Equation =
    Equation::new("docs/equations.md §7.14", "NVIDIA RA-11333-001, bill of materials");
pub(crate) const FORWARDING: Equation = Equation::new("docs/equations.md §8.2", DERIVED);
pub(crate) const PIPELINED_FORWARDING: Equation = Equation::new("docs/equations.md §8.3", DERIVED);
pub(crate) const LEAF_CUT: Equation = Equation::new("docs/equations.md §8.5", DERIVED);
pub(crate) const ROUTED: Equation = Equation::new("docs/equations.md §8.6", DERIVED);
pub(crate) const NETWORK_CAPITAL: Equation = Equation::new("docs/equations.md §9.1", DERIVED);
pub(crate) const CAPITAL: Equation = Equation::new("docs/equations.md §9.2", DERIVED);
pub(crate) const POWER: Equation = Equation::new("docs/equations.md §9.3", DERIVED);
pub(crate) const OWNERSHIP: Equation = Equation::new("docs/equations.md §9.4", DERIVED);
pub(crate) const TOKEN_COST: Equation = Equation::new("docs/equations.md §9.5", DERIVED);
pub(crate) const SPARES: Equation =
    Equation::new("docs/equations.md §9.7", "Feeney and Sherbrooke, Management Science 1966");
pub(crate) const PHASES: Equation =
    Equation::new("docs/equations.md §10.8", "arXiv 2404.07999 and 2403.11204; derived");
pub(crate) const SHARED_TOKEN_COST: Equation = Equation::new("docs/equations.md §9.8", DERIVED);
pub(crate) const FIRMNESS: Equation = Equation::new("docs/equations.md §9.10", DERIVED);
pub(crate) const DEMO: Equation =
    Equation::new("docs/equations.md §10.1", "Peng, Quesnelle and Kingma, arXiv 2411.19870");
pub(crate) const FLEX_DEMO: Equation =
    Equation::new("docs/equations.md §10.2", "From et al., arXiv 2502.06728");
pub(crate) const OFFLOAD: Equation =
    Equation::new("docs/equations.md §10.3", "Singh and Bhatele, arXiv 2110.13005");
pub(crate) const SWAP: Equation =
    Equation::new("docs/equations.md §10.7", "KARMA, arXiv 2008.11421");
pub(crate) const ALONE: Equation =
    Equation::new("docs/equations.md §10.5", "arXiv 2403.11204; derived");
pub(crate) const RATES: Equation = Equation::new(
    "docs/equations.md §11.1",
    "Grattafiori et al., arXiv 2407.21783, Table 5; Qian et al., SIGCOMM 2024",
);
pub(crate) const GOODPUT: Equation =
    Equation::new("docs/equations.md §11.2", "Young, Comm. ACM 1974; derived");
pub(crate) const LOSSES: Equation = Equation::new("docs/equations.md §11.5", DERIVED);
pub(crate) const SURVIVAL: Equation = Equation::new("docs/equations.md §11.6", DERIVED);
pub(crate) const TRAYS: Equation = Equation::new("docs/equations.md §11.7", DERIVED);
pub(crate) const STANDBY: Equation = Equation::new("docs/equations.md §11.3", "Palm's theorem");
