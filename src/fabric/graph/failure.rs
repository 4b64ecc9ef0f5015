//! What can fail, by the names that graphs and people use. What is left then is `aftermath`'s
//! business, and how likely it is nobody's here.

use std::fmt;

/// Something that fails, by the names of [`super::FabricNode::name`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// A switch with all its cables.
    Switch(String),
    /// All links between two nodes.
    Link(String, String),
    /// One of the links between two nodes.
    Cable(String, String),
    /// A GPU with its NIC.
    Gpu {
        /// HB domain, from 0.
        domain: u32,
        /// Rail, from 0.
        rail: u32,
    },
    /// An HB domain with all its NICs.
    Domain(u32),
    /// All switches of a plane.
    Plane(u32),
    /// Every link between a rail's NICs and their leafs.
    Rail(u32),
}

/// Why a failure can't be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureProblem {
    /// The text is none of the known forms.
    Unreadable(String),
    /// The fabric has no such switch.
    NoSuchSwitch(String),
    /// The fabric has no link between the two.
    NoSuchLink(String, String),
    /// The fabric has no such GPU, domain, plane or rail.
    NoSuch {
        /// What, such as `domain 7`.
        what: String,
        /// How many there are, such as `4 domains`.
        has: String,
    },
}

impl fmt::Display for FailureProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(
                f,
                "`{text}` is not a failure: write `switch:leaf-3`, `link:leaf-3/spine-1`, \
                 `cable:leaf-3/spine-1` for one of several, `gpu:3.1`, `domain:3`, `plane:1` or \
                 `rail:2`"
            ),
            Self::NoSuchSwitch(name) => write!(
                f,
                "the fabric has no switch `{name}`: switches are named by layer and number from \
                 0, like `leaf-3`"
            ),
            Self::NoSuchLink(a, b) => write!(
                f,
                "no cable joins `{a}` and `{b}`: name the two ends of one, like `leaf-3/spine-1` \
                 or `gpu-0.1/leaf-1`"
            ),
            Self::NoSuch { what, has } => {
                write!(f, "there is no `{what}`: the fabric has {has}, numbered from 0")
            }
        }
    }
}

impl std::error::Error for FailureProblem {}

impl Failure {
    /// Reads `switch:leaf-3`, `link:leaf-3/spine-1`, `cable:leaf-3/spine-1`, `gpu:3.1`,
    /// `domain:3`, `plane:1` or `rail:2`.
    ///
    /// # Errors
    /// Where the text is none of these.
    pub fn parse(text: &str) -> Result<Self, FailureProblem> {
        let unreadable = || FailureProblem::Unreadable(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(unreadable)?;
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| unreadable());
        match (kind, rest.split_once('/')) {
            ("switch", None) if !rest.is_empty() => Ok(Self::Switch(rest.to_owned())),
            ("link", Some((a, b))) => Ok(Self::Link(a.to_owned(), b.to_owned())),
            ("cable", Some((a, b))) => Ok(Self::Cable(a.to_owned(), b.to_owned())),
            ("gpu", None) => {
                let place = rest.strip_prefix("gpu-").unwrap_or(rest);
                let (domain, rail) = place.split_once('.').ok_or_else(unreadable)?;
                Ok(Self::Gpu { domain: number(domain)?, rail: number(rail)? })
            }
            ("domain", None) => Ok(Self::Domain(number(rest)?)),
            ("plane", None) => Ok(Self::Plane(number(rest)?)),
            ("rail", None) => Ok(Self::Rail(number(rest)?)),
            _ => Err(unreadable()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(name) => write!(f, "switch:{name}"),
            Self::Link(a, b) => write!(f, "link:{a}/{b}"),
            Self::Cable(a, b) => write!(f, "cable:{a}/{b}"),
            Self::Gpu { domain, rail } => write!(f, "gpu:{domain}.{rail}"),
            Self::Domain(number) => write!(f, "domain:{number}"),
            Self::Plane(number) => write!(f, "plane:{number}"),
            Self::Rail(number) => write!(f, "rail:{number}"),
        }
    }
}
