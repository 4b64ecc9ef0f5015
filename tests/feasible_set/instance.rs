//! A small sizing problem as plain numbers, and the spec that states it.

use std::fmt::Write as _;

use crate::feasible_set::second::Second;

/// Most switch models of an instance.
pub(crate) const MODELS: usize = 3;

/// A switch model: rates in Gb/s, money in US dollars.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Switch {
    /// Name in the spec.
    pub(crate) name: &'static str,
    /// Ports at full rate.
    pub(crate) ports: u32,
    /// Rate of a port.
    pub(crate) speed: u32,
    /// Most links of a port.
    pub(crate) split: u32,
    /// Power in watts, without transceivers.
    pub(crate) watts: u32,
    /// Price.
    pub(crate) price: u64,
    /// Height in rack units.
    pub(crate) units: u32,
    /// Pieces owned.
    pub(crate) stock: u32,
    /// Whether it speaks InfiniBand instead of Ethernet.
    pub(crate) infiniband: bool,
    /// Most pieces that can be bought.
    pub(crate) supply: Option<u32>,
}

/// A transceiver for links of one rate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Optic {
    /// Rate of the link in Gb/s.
    pub(crate) rate: u32,
    /// Name in the presets.
    pub(crate) name: &'static str,
    /// Power in watts, as its data sheet says.
    pub(crate) watts: f64,
    /// Price.
    pub(crate) price: u64,
    /// Pieces owned.
    pub(crate) stock: u32,
}

/// Family of fabric asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Any of the others, and trees of some rails beside others.
    Auto,
    /// Every rail a tree, or several whole rails on one switch.
    RailOnly,
    /// One tree of all rails, leafs of one rail or of whole rails.
    RailOptimized,
    /// One tree of all rails, leafs filled in any order, full bisection.
    Clos,
}

/// Quantity to minimise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Price of the cluster.
    Capex,
    /// Power of the cluster.
    Power,
    /// Price and four years of energy.
    Tco,
}

/// A sizing problem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instance {
    /// HB domains.
    pub(crate) domains: u32,
    /// HB domains that stand by: bought and housed, switched off.
    pub(crate) standby: u32,
    /// Of those, how many have cables; what is enumerated wires none.
    pub(crate) wired: u32,
    /// GPUs of a domain.
    pub(crate) domain_gpus: u32,
    /// GPUs that the last domain lacks.
    pub(crate) missing: u32,
    /// NICs of a domain.
    pub(crate) rails: u32,
    /// Rate of a NIC in Gb/s.
    pub(crate) rate: u32,
    /// Planes that the NIC can be split over.
    pub(crate) card_planes: u32,
    /// Most planes of the spec.
    pub(crate) max_planes: Option<u32>,
    /// No other number of planes is looked at; no key of the spec says so.
    pub(crate) only_planes: Option<u32>,
    /// Models to choose from.
    pub(crate) switches: Vec<Switch>,
    /// One for each rate of a link.
    pub(crate) optics: Vec<Optic>,
    /// Family asked for.
    pub(crate) family: Family,
    /// What to minimise, in this order.
    pub(crate) goals: Vec<Goal>,
    /// Floor of the bandwidth within a rail, in thousandths.
    pub(crate) within: u32,
    /// Floor of the bandwidth across rails, in thousandths.
    pub(crate) across: u32,
    /// Most capital cost.
    pub(crate) budget: Option<u64>,
    /// Most power in watts.
    pub(crate) power: Option<u64>,
    /// Most racks.
    pub(crate) racks: Option<u32>,
    /// Price of a domain, of a NIC.
    pub(crate) node_price: u64,
    /// Price of a NIC.
    pub(crate) nic_price: u64,
    /// A NIC that is cut off leaves its traffic to others of its domain.
    pub(crate) forwards: bool,
    /// Losses after each of which every domain still reaches all others, however slowly.
    pub(crate) survive: Survive,
    /// A second workload that shares the time of the cluster.
    pub(crate) second: Option<Second>,
}

/// What may be lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Survive {
    /// Any one link.
    pub(crate) link: bool,
    /// Any one switch.
    pub(crate) switch: bool,
}

/// Power of a domain in watts, its NICs included.
pub(crate) const NODE_WATTS: u32 = 2000;
/// Height of a domain in rack units.
pub(crate) const NODE_UNITS: u32 = 4;

impl Instance {
    /// GPUs of the cluster.
    pub(crate) fn gpus(&self) -> u32 {
        self.domains * self.domain_gpus - self.missing
    }

    /// NICs of the cluster that have cables: endpoints of a plane.
    pub(crate) fn endpoints(&self) -> u32 {
        (self.domains + self.wired) * self.rails
    }

    /// Floors within rails and across them in thousandths: a Clos has full bisection.
    pub(crate) fn floors(&self) -> (u32, u32) {
        match self.family {
            Family::Clos => (1000, 1000),
            Family::Auto | Family::RailOnly | Family::RailOptimized => (self.within, self.across),
        }
    }

    /// The transceiver of links in so many planes.
    pub(crate) fn optic(&self, planes: u32) -> &Optic {
        let right = |optic: &&Optic| optic.rate * planes == self.rate;
        self.optics.iter().find(right).expect("there is one for every rate")
    }

    /// Plane counts that the NIC and the spec allow.
    pub(crate) fn plane_counts(&self) -> Vec<u32> {
        let most = self.max_planes.unwrap_or(u32::MAX).min(self.card_planes);
        let only = |planes: &u32| self.only_planes.is_none_or(|only| only == *planes);
        [1, 2, 4, 8].into_iter().filter(|planes| *planes <= most).filter(only).collect()
    }

    /// The spec.
    pub(crate) fn toml(&self) -> String {
        let mut out = String::new();
        let gpus = self.gpus();
        let family = match self.family {
            Family::Auto => "auto",
            Family::RailOnly => "rail-only",
            Family::RailOptimized => "rail-optimized",
            Family::Clos => "clos",
        };
        let list = |names: Vec<&str>| format!("[\"{}\"]", names.join("\", \""));
        let second = self.second.as_ref();
        let tokens = second.is_some_and(|second_limit| second_limit.tokens);
        let goals = if tokens {
            list(vec!["usd-per-token"])
        } else {
            list(self.goals.iter().map(|goal| goal.key()).collect())
        };
        let models = list(self.switches.iter().map(|switch_model| switch_model.name).collect());
        let mut line = |text: String| writeln!(out, "{text}").expect("text can be written to");
        line(format!(
            "name = \"instance\"\n[model]\nlayers = 8\nhidden = 1024\nheads = 16\nvocab = 32000\n\
             sequence = 1024\n[training]\nglobal_batch = {gpus}\nmicro_batch = 1\n\
             recompute = \"selective\"\n[parallelism]\ntensor = 1\npipeline = 1\nzero = 1\n\
             [cluster]\ngpus = {gpus}\nnode = \"box\"\nfabric = \"{family}\"\n\
             links = \"by-end\"\nswitches = {models}"
        ));
        if let Some(planes) = self.max_planes {
            line(format!("max_planes = {planes}"));
        }
        line(format!(
            "[objective]\nminimize = {goals}\nmax_slowdown = 1000.0\n[limits]\n\
             regular = false"
        ));
        let thousandths = |count: u32| format!("{}.{:03}", count / 1000, count % 1000);
        // Some floors are stated as what they allow per uplink; where there is none, the default of that
        // is taken off.
        match self.within {
            0 => line("max_oversubscription = 0".to_owned()),
            within if 1000 % within == 0 && self.domains.is_multiple_of(2) => {
                line(format!("max_oversubscription = {}", 1000 / within));
            }
            within => line(format!("within_rail = {}", thousandths(within))),
        }
        if self.across > 0 && !second.is_some_and(Second::crosses) {
            line(format!("across_rails = {}", thousandths(self.across)));
        }
        if let Some(budget) = self.budget {
            line(format!("budget = \"${budget}\""));
        }
        if let Some(power) = self.power {
            line(format!("power = \"{power} W\""));
        }
        if let Some(racks) = self.racks {
            line(format!("racks = {racks}"));
        }
        let losses = [(self.survive.link, "any-link"), (self.survive.switch, "any-switch")];
        let asked: Vec<&str> = losses.iter().filter(|pair| pair.0).map(|pair| pair.1).collect();
        if asked.is_empty() {
            line("survive = \"nothing\"".into())
        } else {
            line(format!("survive = {}\nsurvive_pace = 0.001", list(asked)))
        }
        line(format!("[failures]\nstandby = {}", self.standby));
        if tokens {
            // All that trains, trains: the cost of a token is a product of two numbers then.
            for never in ["gpu", "memory", "host", "software", "nic", "link", "switch", "trays_out"]
            {
                line(format!("{never} = 0"));
            }
        }
        line("[limits.supply]".into());
        for switch in &self.switches {
            if let Some(supply) = switch.supply {
                line(format!("{} = {supply}", switch.name));
            }
        }
        line("[inventory]".into());
        let owned =
            self.switches.iter().map(|switch_model| (switch_model.name, switch_model.stock));
        for (name, stock) in
            owned.chain(self.optics.iter().map(|this_optic| (this_optic.name, this_optic.stock)))
        {
            if stock > 0 {
                line(format!("{name} = {stock}"));
            }
        }
        line("[prices]".into());
        for optic in &self.optics {
            line(format!("{} = \"${}\"", optic.name, optic.price));
        }
        line(format!(
            "[hardware.nodes.box]\ngpu = \"h100\"\ngpus = {}\nhb_bandwidth = \"450 GB/s\"\nforwards = {}\n\
             nics = {}\nnic = \"card\"\npower = \"{NODE_WATTS} W\"\nrack_units = {NODE_UNITS}\n\
             price = \"${}\"\n[hardware.nics.card]\nbandwidth = \"{} Gb/s\"\npower = \"10 W\"\n\
             max_planes = {}\nprice = \"${}\"",
            self.domain_gpus,
            self.forwards,
            self.rails,
            self.node_price,
            self.rate,
            self.card_planes,
            self.nic_price
        ));
        for switch_model in &self.switches {
            line(format!(
                "[hardware.switches.{}]\nports = {}\nport_speed = \"{} Gb/s\"\nmax_split = {}\n\
                 power = \"{} W\"\nrack_units = {}\nprice = \"${}\"",
                switch_model.name,
                switch_model.ports,
                switch_model.speed,
                switch_model.split,
                switch_model.watts,
                switch_model.units,
                switch_model.price
            ));
            if switch_model.infiniband {
                line("protocol = \"infiniband\"".into());
            }
        }
        if let Some(second) = second {
            out.push_str(&second.toml(self));
        }
        out
    }
}

impl Goal {
    /// Its name in a spec.
    fn key(self) -> &'static str {
        match self {
            Self::Capex => "capex",
            Self::Power => "power",
            Self::Tco => "tco",
        }
    }
}
