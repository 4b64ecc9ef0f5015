//! What no design may exceed, and what it keeps in store.

use std::collections::BTreeMap;

use crate::hardware::{RACK_POWER, Rack};
use crate::keys::{Kind, PIECES, SHARE, choices, key, table};
use crate::units::{Seconds, Usd, Watts};

/// Failures in a year over the pieces; more than one a piece is allowed.
const YEARLY: Kind = Kind::Number { min: 0.0, max: 10.0 };

table! {
    /// What no design may exceed; `None` where the spec sets no limit.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Limits, "what no design may exceed; all optional" {
        /// Capital cost of the cluster.
        budget: Option<Usd>, "capital cost";
        power: Option<Watts>, "power of machines and network, before cooling";
        /// Length of the whole run, with the failures of a mean year.
        run: Option<Seconds> as "days", in Kind::Number { min: 0.001, max: 100_000.0 },
            "length of the run in days, with the failures of a mean year";
        step_time: Option<Seconds>, "length of one step";
        /// Switches that can be delivered, by name in the catalogue.
        supply: BTreeMap<String, u64>, "switches that can be delivered, by name: pieces";
        /// Racks for machines and switches, those of the other networks among them.
        racks: Option<u64>, in PIECES, "racks for machines and switches, and for those of \
                                        `[networks]`";
        /// What one of them offers.
        rack: Rack as "rack_units" = 42, "usable height of a rack";
        /// Least bandwidth within a rail over that of its NICs, whatever the jobs need; 1 where no
        /// rail may block.
        within_rail: Option<f64>, in SHARE,
            "least bandwidth within a rail over its NICs'; 1: never blocks";
        /// Most endpoints per uplink of a leaf switch within a rail: 7 for 7:1. 0 asks for nothing;
        /// the default has a price (`design/study/default_rules.rs`).
        max_oversubscription: Option<f64>, in Kind::Number { min: 0.0, max: 1e6 },
            "most NICs per uplink of a leaf switch within a rail: 7 for 7:1; 0: asks for nothing"
            or "7 where `within_rail` says nothing and at most 1 % more of `objective.minimize` \
                avoids more";
        /// Least bandwidth across rails over that of the NICs (σ), likewise.
        across_rails: Option<f64>, in SHARE, "least bandwidth across rails over the NICs'";
        /// Rails share no leaf switch but whole ones, leaf switches and units are alike but for a
        /// last group;
        /// `false` asks for nothing. The default has a price (`design/study/regular_networks.rs`).
        regular: Option<bool>,
            "true: rails share no leaf switch unless whole rails stand on it, leaf switches are \
             equal but for a last group, and as many machines are below each; false: asks for \
             nothing"
            or "true in rail-only and rail-optimized networks where at most 1 % of the cluster is \
                paid for it";
        /// Most switch models in one rail.
        models_per_rail: Option<u32>, in Kind::Count { min: 1, max: 64 }, "switch models in one \
                                                                           rail";
        /// Least pace that a loss of `survive` leaves, over that on a non-blocking network.
        survive_pace: f64 = 0.5, in SHARE,
            "least speed that a loss named by `survive` leaves, over that on a network that never \
             blocks; 0: asks for nothing";
    } besides {
        /// Losses after each of which the job goes on; `None` where the spec doesn't say.
        survive: Option<Vec<Loss>>,
        /// Racks that are left to what the integer program does not count: those beyond a first
        /// answer of it.
        reserved: u64,
    }
    last [
        key(
            "survive",
            Kind::Some(&Kind::Choice(Loss::NAMES)),
            "losses after each of which the job goes on with what is left of the network, if need \
             be from its last checkpoint; spare machines do not count",
        )
        .with_default_words(
            "any link and any switch that would stop the whole job, where the same machines avoid \
             it for at most 2 % of what the network takes of `objective.minimize`",
        ),
        RACK_POWER,
    ]
}

choices! {
    /// What a cluster may lose with its job going on.
    pub enum Loss {
        /// Nothing is asked for.
        Nothing = "nothing",
        /// Any one link: a cable with both ends.
        Link = "any-link",
        /// Any one switch.
        Switch = "any-switch",
        /// All switches of any one plane.
        Plane = "any-plane",
        /// Any one HB domain: another one stands by.
        Domain = "any-domain",
    }
}

impl Limits {
    /// True where a spec names the losses to survive, or asks for nothing after one.
    pub(crate) const fn says_what_losses_leave(&self) -> bool {
        self.survive.is_some() || self.survive_pace <= 0.0
    }

    /// No limits, with racks that offer so much.
    #[must_use]
    pub const fn new_unlimited(rack: Rack) -> Self {
        Self {
            budget: None,
            power: None,
            run: None,
            step_time: None,
            supply: BTreeMap::new(),
            racks: None,
            rack,
            within_rail: None,
            max_oversubscription: None,
            across_rails: None,
            regular: None,
            models_per_rail: None,
            survive_pace: 0.0,
            survive: None,
            reserved: 0,
        }
    }

    /// Least bandwidth within a rail over that of its NICs, by whichever key asks for more; 0 where
    /// none does.
    #[must_use]
    pub fn least_within_rail(&self) -> f64 {
        let most = self.max_oversubscription.filter(|most| *most > 0.0);
        let by_ratio = most.map_or(0.0, |most| 1.0 / most.max(1.0));
        self.within_rail.unwrap_or(0.0).max(by_ratio)
    }

    /// True where any loss is to leave a pace.
    #[must_use]
    pub fn names_losses(&self) -> bool {
        Loss::ALL.into_iter().any(|loss| self.has_to_survive(loss))
    }

    /// True where a loss is to leave a pace.
    #[must_use]
    pub fn has_to_survive(&self, loss: Loss) -> bool {
        self.survive_pace > 0.0 && self.survive.iter().flatten().any(|this_loss| *this_loss == loss)
    }

    /// True where racks or what they offer are limited.
    #[must_use]
    pub const fn bound_racks(&self) -> bool {
        self.racks.is_some() || self.rack.power.is_some() || self.rack.fed.is_some()
    }
}

table! {
    /// How many failed parts a store has to replace at once.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Spares,
        "switches and optics to keep in store, so that a failed one is replaced at once"
    {
        /// Share of the lead times in which the store does not run out.
        fill_rate: f64 = 0.99, in Kind::Number { min: 0.5, max: 0.999_999 },
            "share of the lead times in which the store does not run out";
        /// Time until an ordered part arrives. An assumption: lead times moved between four and
        /// forty weeks.
        lead: Seconds as "lead_days" = 56, in Kind::Number { min: 0.0, max: 3650.0 },
            "days until a part arrives";
        /// Share of the switches that fail in a year. Top-of-rack switches: 0.051 % a month (Qian
        /// et al., Alibaba HPN, SIGCOMM 2024).
        switch_failures: f64 = 0.0061, in YEARLY, "share of the switches that fail in a year";
        /// Share of the transceivers that fail in a year. An assumption; published link failures
        /// are lower.
        optic_failures: f64 = 0.02, in YEARLY, "share of the optics that fail in a year";
    }
}
