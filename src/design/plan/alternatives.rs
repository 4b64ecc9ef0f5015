//! `Alternative`, `PriceBand`, `Priority`; prices of the default limit, of a single point of
//! failure and of a regular network.

use crate::fabric::{FabricKind, Regularity};
use crate::hardware::{Month, Price, PriceBasis, PriceBook};
use crate::scenario::{Loss, Minimize};
use crate::units::{Amount, ROUNDING, Usd, Watts};

/// A design that was not chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// What differs, in words.
    pub name: String,
    /// The choice in which it differs.
    pub differs: AlternativeKind,
    /// Network cost against the plan's; negative where cheaper.
    pub network_capex_change: Usd,
    /// Capex of the cluster against the plan's.
    pub capex_change: Usd,
    /// Step time over the plan's.
    pub step_ratio: f64,
    /// Cost per million tokens over the plan's; `None` where either has none.
    pub usd_per_token_ratio: Option<f64>,
    /// How it stands to the plan by what is minimised.
    pub standing: AlternativeStanding,
    /// Why it was not chosen.
    pub reason: String,
    /// Keys of the limits that keep it out.
    pub breaks: Vec<String>,
}

/// A product that was not sized, as a bound tells that no design with it comes near.
#[derive(Clone, Debug, PartialEq)]
pub struct NotSized {
    /// What differs, in words.
    pub name: String,
    /// What every design with it takes at least of what is minimised, over the plan's: its machines
    /// with a link and a port for each interface, and steps as on a network that never blocks;
    /// where no layout was looked for, its machines and steps of kernels alone.
    pub at_least: f64,
}

/// The choice in which a design differs from the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternativeKind {
    /// The product.
    Node,
    /// The interface.
    Nic,
    /// The rank order of its workloads.
    Order,
    /// The GPUs of a domain that hold ranks.
    Placement,
    /// The number of planes.
    Planes,
    /// What its switches speak.
    Protocol,
    /// The family of fabrics, which is this one.
    Family(FabricKind),
    /// What a spec may name as its family of fabrics.
    Choice,
    /// What is minimised.
    Objective,
    /// How much longer a step may be.
    Pace,
    /// The products of several clusters together.
    Products,
}

impl AlternativeKind {
    /// Another network: what fails there, and what a failure takes along, is not what it is here.
    #[must_use]
    pub const fn is_network(self) -> bool {
        matches!(self, Self::Nic | Self::Planes | Self::Protocol | Self::Family(_) | Self::Choice)
    }
}

/// How a design that was not chosen stands to the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlternativeStanding {
    /// It takes more of what is minimised.
    Worse,
    /// It takes at most half a percent more.
    Tied,
    /// It is the best by another objective.
    Elsewhere,
    /// Limits keep it out.
    KeptOut,
}

impl AlternativeStanding {
    /// Name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Tied => "tied",
            Self::Elsewhere => "other-objective",
            Self::KeptOut => "kept-out",
        }
    }
}

/// The prices of a part between which the design stays the best.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceBand {
    /// Part by its name in the catalogue.
    pub part: String,
    pub price: Usd,
    /// What kind of statement that is.
    pub basis: PriceBasis,
    pub date: String,
    /// Why it is looked at again: an assumption, or old in the month that the spec plans in.
    pub doubt: Option<PriceDoubt>,
    pub used: bool,
    /// Where the choice changes below it; `None` where it does not, down to a quarter.
    pub below: Option<PriceCrossing>,
    /// Where the choice changes above it; `None` where it does not, up to four times.
    pub above: Option<PriceCrossing>,
}

/// Why a price is looked at again before money rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceDoubt {
    /// Nobody states it.
    Assumed,
    /// It is older than the spec wants prices to be in the month that it plans in.
    Old,
}

impl PriceDoubt {
    /// Why a price is; `None` where nothing speaks against it.
    #[must_use]
    pub fn doubt_of_price(price: &Price, book: &PriceBook) -> Option<Self> {
        let held = Month::parse_latest(&price.date);
        let old = book
            .as_of
            .zip(held)
            .is_some_and(|(as_of, held)| as_of.months_since(held) > book.old_after);
        match price.basis {
            PriceBasis::Assumed => Some(Self::Assumed),
            _ => old.then_some(Self::Old),
        }
    }

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::Old => "old",
        }
    }
}

/// A price at which another design costs as little.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceCrossing {
    pub price: Usd,
    /// The other design, in a few words.
    pub to: String,
}

/// One of several quantities that were minimised one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priority {
    pub quantity: Minimize,
    /// What the design takes of it over the least that the quantities before it leave, less 1.
    pub given_up: f64,
    /// What the design takes less of it than the one that the quantities before it choose alone,
    /// over that one's; nothing for the first.
    pub gained: f64,
}

/// Endpoints per uplink of a leaf switch that operators accept within a fabric for training: 7
/// (Gangidi et al., Meta, SIGCOMM 2024).
pub(crate) const MOST: f64 = 7.0;

/// A network beside the rule on oversubscription within rails that holds by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Oversubscription {
    /// Endpoints per uplink of a leaf switch that the rule allows.
    pub most: f64,
    /// Those of the leaf switch with fewest uplinks in the best network without the rule.
    pub cheapest: f64,
    /// What the best design of the same machines within the rule takes more; `None` where there is
    /// none.
    pub premium: Option<Premium>,
    /// It is the one that was chosen.
    pub chosen: bool,
}

/// A part of the network whose loss stops the whole job, and what a network without one takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SinglePoint {
    /// What the part is, such as `leaf switch`.
    pub part: String,
    /// How many of them there are.
    pub pieces: u64,
    /// The design without such a part; `None` where none was found.
    pub without: Option<WithoutSinglePoint>,
}

/// The best design of the same machines of which no link or switch stops the whole job alone.
#[derive(Clone, Debug, PartialEq)]
pub struct WithoutSinglePoint {
    /// What it takes more than the best design of all.
    pub premium: Premium,
    /// It is the one that was chosen.
    pub chosen: bool,
    /// What `limits.survive` asks for there.
    pub survive: &'static [Loss],
}

/// What the best design within a rule takes more than the best one of all, of the whole cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Premium {
    /// The quantity that the spec minimises.
    pub minimized: Minimize,
    /// How much more of it: dollars, dollars for a million tokens, or watts. Less than nothing only
    /// where the best design is not proven, as the rule but leaves designs out.
    pub more: Amount,
    /// That over what the best design of all takes.
    pub share: f64,
    /// That over what the network takes of the best design of all.
    pub network_share: f64,
    /// Other products and interfaces are left out of the design within the rule, as the best one
    /// there is built of those.
    pub keeps_machines: bool,
}

impl Premium {
    /// Of a best design that takes so much of a quantity in all, and so much for its network, and
    /// of a stricter one.
    pub(crate) fn from_designs(
        minimized: Minimize,
        best: f64,
        network: f64,
        stricter: f64,
    ) -> Self {
        let apart = stricter - best;
        let more = if apart.abs() <= ROUNDING * best.abs() { 0.0 } else { apart };
        let share_of = |whole: f64| if whole > 0.0 { more / whole } else { f64::from(more > 0.0) };
        Self {
            minimized,
            more: match minimized {
                Minimize::Power => Amount::Power(Watts::from_f64(more)),
                Minimize::Capex | Minimize::Tco | Minimize::UsdPerToken => {
                    Amount::Money(Usd::from_f64(more))
                }
            },
            share: share_of(best),
            network_share: share_of(network),
            keeps_machines: false,
        }
    }

    /// The money in it; `None` where it is watts, or money for tokens.
    #[must_use]
    pub fn money_share(&self) -> Option<Amount> {
        let is_money = matches!(self.minimized, Minimize::Capex | Minimize::Tco);
        is_money.then(|| self.more.clone())
    }

    /// The money for a million tokens in it; `None` where something else is minimised.
    #[must_use]
    pub fn money_per_token(&self) -> Option<Amount> {
        (self.minimized == Minimize::UsdPerToken).then(|| self.more.clone())
    }

    /// The power in it; `None` where something else is minimised.
    #[must_use]
    pub fn power_share(&self) -> Option<Amount> {
        (self.minimized == Minimize::Power).then(|| self.more.clone())
    }
}

/// A network beside the rule that networks are regular by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Regular {
    /// How the best network without the rule looks.
    pub free: Regularity,
    /// What the best regular network takes more than that one; `None` where there is none.
    pub premium: Option<Premium>,
    /// The regular one was chosen.
    pub chosen: bool,
}

impl Regular {
    /// What is paid for a regular network; `None` where the one without the rule was taken.
    #[must_use]
    pub fn paid_premium(&self) -> Option<&Premium> {
        self.premium.as_ref().filter(|_| self.chosen)
    }
}
