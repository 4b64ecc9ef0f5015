//! Keys of parts and prices: the shape of `[hardware.…]` and of the preset files.

use crate::hardware::{Basis, Calibration, Protocol};
use crate::keys::{DATE, Key, Kind, NOTE, SOURCE, Section, key};
use crate::units::Unit;

const BANDWIDTH: Kind = Kind::Quantity(Unit::Bandwidth);
const POWER: Kind = Kind::Quantity(Unit::Power);
const FLOP_RATE: Kind = Kind::Quantity(Unit::Rate);
const UNITS: Kind = Kind::Count { min: 1, max: 1_000 };
const PORTS: Kind = Kind::Count { min: 1, max: 65_536 };
/// Parts inside a domain; none where GPUs are joined one to another, or not at all.
const INSIDE: Kind = Kind::Count { min: 0, max: 1 << 20 };
const PRICE_OF_ONE: Key = key("price", Kind::Price, "price of one");
const AMOUNT: Key = key("price", Kind::Cost, "price of one").required();
const LOW: Key = key("low", Kind::Cost, "lowest price known").or("price");
const HIGH: Key = key("high", Kind::Cost, "highest price known").or("price");
const BASIS: Key = key("basis", Kind::Choice(Basis::NAMES), "what kind of statement it is")
    .default(Basis::User.name());

/// `[hardware]`.
pub(super) const HARDWARE: Section = Section {
    doc: "parts of one's own; a preset's name changes only the keys that stand here",
    keys: &[
        key("gpus", Kind::Map(&Kind::Table(&GPU)), "GPUs"),
        key("nodes", Kind::Map(&Kind::Table(&NODE)), "HB-domain products"),
        key("nics", Kind::Map(&Kind::Table(&NIC)), "network interfaces"),
        key("switches", Kind::Map(&Kind::Table(&SWITCH)), "switches"),
        key("optics", Kind::Map(&Kind::Table(&OPTIC)), "optical transceivers"),
        key(
            "calibrations",
            Kind::Map(&Kind::Table(&Calibration::SECTION)),
            "constants of the clock",
        ),
    ],
};

/// `[hardware.gpus.NAME]`.
pub(crate) const GPU: Section = Section {
    doc: "a GPU",
    keys: &[
        key("peak_fp32", FLOP_RATE, "dense peak, 32 bits").or("not supported"),
        key("peak_bf16", FLOP_RATE, "dense peak, 16 bits").or("not supported"),
        key("peak_fp8", FLOP_RATE, "dense peak, 8 bits").or("not supported"),
        key("peak_fp4", FLOP_RATE, "dense peak, 4 bits").or("not supported"),
        key("memory", Kind::Quantity(Unit::Memory), "memory that a job can use").required(),
        key("memory_bandwidth", BANDWIDTH, "peak bandwidth of that memory").required(),
        key("power", POWER, "board power").required(),
        key("calibration", Kind::Name, "constants of the step-time model").or("by number formats"),
        PRICE_OF_ONE,
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// `[hardware.nodes.NAME]`.
pub(crate) const NODE: Section = Section {
    doc: "a product that one buys whole: its GPUs form one high-bandwidth domain",
    keys: &[
        key("gpu", Kind::Name, "the GPU inside").required(),
        key("gpus", PORTS, "GPUs of the domain").required(),
        key("hb_bandwidth", BANDWIDTH, "bandwidth of a GPU into its domain, one way").required(),
        key("hb_switches", INSIDE, "switch chips inside the domain: NVSwitches").or("not stated"),
        key("hb_links", INSIDE, "links inside the domain: NVLinks").or("not stated"),
        key("nics", PORTS, "network interfaces of the domain: its rails").required(),
        key("nic", Kind::Name, "interface that it ships with").required(),
        key("power", POWER, "power of the whole product at full load").required(),
        key("rack_units", UNITS, "height in rack units").or("not stated"),
        key("racks", UNITS, "whole racks that it takes, whatever its height")
            .or("none: it shares one"),
        // What PCIe 4.0 x16 reaches (assumed).
        key("host_link", BANDWIDTH, "what copies between a GPU and the host reach, one way")
            .default("25 GB/s"),
        // Assumed.
        key(
            "host_memory",
            Kind::Quantity(Unit::Memory),
            "memory of the host, of the whole product",
        )
        .default("1 TiB"),
        key(
            "host_memory_max",
            Kind::Quantity(Unit::Memory),
            "memory that the host takes at most; what exceeds `host_memory` is bought besides",
        )
        .or("host_memory"),
        key("forwards", Kind::Flag, "the domain can forward to the GPU on the right rail")
            .default("true"),
        key("sold", Kind::Flag, "can be bought new; what can't is used where `node` names it")
            .default("true"),
        PRICE_OF_ONE,
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// `[hardware.nics.NAME]`.
pub(crate) const NIC: Section = Section {
    doc: "a network interface",
    keys: &[
        key("bandwidth", BANDWIDTH, "line rate over all ports, one way").required(),
        key("power", POWER, "power").required(),
        key("max_planes", Kind::Count { min: 1, max: 64 }, "planes that it can be split over")
            .default("1"),
        PRICE_OF_ONE,
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// `[hardware.switches.NAME]`.
pub(crate) const SWITCH: Section = Section {
    doc: "a switch of fixed capacity",
    keys: &[
        key("ports", PORTS, "ports at their full rate").required(),
        key("port_speed", BANDWIDTH, "line rate of a port, one way").required(),
        key("max_split", Kind::Count { min: 1, max: 64 }, "links that one port can be split into")
            .default("1"),
        key("power", POWER, "power at typical load, without optics").required(),
        key("rack_units", UNITS, "height in rack units").or("not stated"),
        key(
            "protocol",
            Kind::Choice(Protocol::NAMES),
            "what its links speak; the switches of a fabric all speak the same",
        )
        .default(Protocol::Ethernet.name()),
        PRICE_OF_ONE,
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// `[hardware.optics.NAME]`.
pub(crate) const OPTIC: Section = Section {
    doc: "an optical transceiver: one end of a link",
    keys: &[
        key("bandwidth", BANDWIDTH, "line rate of the link").required(),
        key("power", POWER, "power").required(),
        PRICE_OF_ONE,
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// A price book.
pub const PRICE_BOOK: Section = Section {
    doc: "prices of one time and place",
    keys: &[
        key("name", Kind::Text, "name for reports").required(),
        DATE,
        SOURCE,
        NOTE,
        key("rates", RATES, "US dollars for one unit of other currencies in this book, by code"),
        key("price", Kind::Tables(&PRICE), "what it prices").required(),
    ],
};

/// One price of a book.
pub(crate) const PRICE: Section = Section {
    doc: "the price of one part",
    keys: &[
        key("item", Kind::Text, "part by name, or switch-port, transceiver, nic, host-memory (a GiB), electricity (a kWh)")
            .required(),
        key("rate", BANDWIDTH, "line rate, where the item is priced by the rate"),
        AMOUNT,
        LOW,
        HIGH,
        BASIS,
        DATE,
        SOURCE,
        NOTE,
    ],
};

/// A price of the user's own, where it says more than the amount.
pub(crate) const OWN_PRICE: Section = Section {
    doc: "a price with its origin",
    keys: &[AMOUNT, LOW, HIGH, BASIS, DATE, SOURCE, NOTE],
};

/// Rates of exchange by code.
const RATES: Kind = Kind::Map(&Kind::Table(&RATE));

/// What a unit of a currency is worth.
pub(crate) const RATE: Section = Section {
    doc: "a rate of exchange",
    keys: &[
        key("usd", Kind::Number { min: 1e-6, max: 1e3 }, "US dollars for one unit").required(),
        key("date", Kind::Date, "when that held, as 2026-09-15").required(),
        SOURCE,
        NOTE,
    ],
};

/// `[pricing]`.
pub(crate) const PRICING: Section = Section {
    doc: "terms on the prices of books: prices of the spec's own are taken as they stand",
    keys: &[
        key("as_of", Kind::Text, "month that prices are judged in, as 2026-11; no clock is read")
            .or("no price is called old"),
        // Two years: about a generation of parts.
        key(
            "max_age_months",
            Kind::Count { min: 1, max: 1200 },
            "months after which a price is warned of",
        )
        .default("24"),
        key(
            "discounts",
            Kind::Map(&Kind::Number { min: 0.0, max: 1.0 }),
            "share off, by part, by role (node, nic, switch, optic) or all; the nearest holds",
        ),
        key(
            "mark_ups",
            Kind::Map(&Kind::Number { min: 0.0, max: 100.0 }),
            "share on after the discount, likewise: duty, tax, freight",
        ),
        key("rates", RATES, "US dollars for one unit of other currencies, by code"),
    ],
};
