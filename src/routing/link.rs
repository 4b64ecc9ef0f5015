//! Links of a routed fabric, by class, and what they carry.

use crate::fabric::LinkClass;
use crate::units::{Bandwidth, Bytes, Seconds};

/// One link, by the numbers of the graph's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// A NIC, by its order among the endpoints, and its leaf.
    Nic {
        /// Order of the NIC.
        nic: usize,
        /// Node of the leaf.
        leaf: usize,
    },
    /// Two switches, or two NICs that are joined without any.
    Switches {
        /// Node of the lower one.
        low: usize,
        /// Node of the upper one.
        high: usize,
    },
}

/// What the links of one class carry, in the fuller direction of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Class.
    pub class: LinkClass,
    /// Links.
    pub links: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// Bytes on all of them.
    pub total: Bytes,
    /// Bytes on the fullest.
    pub most: Bytes,
    /// That link; `None` where there are no links.
    pub fullest: Option<Link>,
}

impl Load {
    pub(super) const fn new(class: LinkClass, rate: Bandwidth) -> Self {
        let (total, most) = (Bytes::ZERO, Bytes::ZERO);
        Self { class, links: 0, rate, total, most, fullest: None }
    }

    /// Adds alike links with so many bytes on each.
    pub(super) fn add_links(&mut self, links: u64, bytes: f64, link: Link) {
        let bytes = Bytes::from_elements(1, bytes);
        self.links += links;
        self.total += bytes * u128::from(links);
        if self.fullest.is_none() || bytes > self.most {
            self.most = bytes;
            self.fullest = Some(link);
        }
    }

    /// Bytes on a link on average.
    #[must_use]
    pub fn mean_bytes(&self) -> Bytes {
        self.total.equal_share(u128::from(self.links.max(1)))
    }
}

/// The link that takes longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowestLink {
    /// How long, at the link's full rate.
    pub time: Seconds,
    /// Which; `None` where nothing is sent.
    pub link: Option<Link>,
}

impl SlowestLink {
    /// Nothing is sent.
    pub(super) const NONE: Self = Self { time: Seconds::ZERO, link: None };

    /// Bytes on a link of that rate.
    pub(super) fn from_bytes(bytes: f64, rate: Bandwidth, link: Option<Link>) -> Self {
        Self { time: Bytes::from_elements(1, bytes) / rate, link }
    }

    /// The longer of the two; of equals this one.
    pub(super) fn slower_of(self, other: Self) -> Self {
        if other.time > self.time { other } else { self }
    }

    /// The slowest of all classes; of equals the one nearest to the NICs.
    pub(super) fn slowest_of<'a>(loads: impl IntoIterator<Item = &'a Load>) -> Self {
        let mut peak = Self::NONE;
        for load in loads.into_iter().filter(|load| !load.most.is_zero()) {
            let time = load.most / load.rate;
            if peak.link.is_none() || time > peak.time {
                peak = Self { time, link: load.fullest };
            }
        }
        peak
    }
}
