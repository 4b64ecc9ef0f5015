//! Keys of prices, and the tables of parts of one's own. Keys of a part stand with the part.

use crate::hardware::{
    Appliance, Cable, Calibration, Family, Gpu, Included, LinkKind, Nic, Node, Optic, PriceBasis,
    PriceLevel, Switch,
};
use crate::keys::{DATE, Key, Kind, NOTE, SOURCE, Section, key};
use crate::units::Unit;

const BANDWIDTH: Kind = Kind::Quantity(Unit::Bandwidth);
const AMOUNT: Key = key("price", Kind::Cost, "price of one").required();
const LOW: Key = key("low", Kind::Cost, "lowest price known").with_default_words("price");
const HIGH: Key = key("high", Kind::Cost, "highest price known").with_default_words("price");
const BASIS: Key = key(
    "basis",
    Kind::Choice(PriceBasis::NAMES),
    "what kind of statement it is; of $0 included: another price has it in it",
)
.default(PriceBasis::User.name());

const TIERS: Key =
    key("tiers", Kind::Tables(&TIER), "what one costs from more pieces on, fewest first")
        .with_default_words("one price");
const VALID_UNTIL: Key =
    key("valid_until", Kind::Date, "last day or month that the offer holds in")
        .with_default_words("not stated");
const LEAD_DAYS: Key =
    key("lead_days", Kind::Count { min: 0, max: 3650 }, "days from order to delivery")
        .with_default_words("not stated");

const INCLUDES: Key = key(
    "includes",
    Kind::Some(&Kind::Choice(Included::NAMES)),
    "what the price of a machine has in it; NICs that it names cost nothing more",
)
.with_default_words("not stated: NICs are bought on top");
const LEVEL: Key = key(
    "level",
    Kind::Choice(PriceLevel::NAMES),
    "how much of a cluster the price of a machine is of",
)
.with_default_words("not stated");

/// A price for more pieces.
pub(crate) const TIER: Section = Section {
    doc: "the price of one where at least so many are bought",
    keys: &[key("from", Kind::Count { min: 2, max: 1_000_000_000 }, "pieces").required(), AMOUNT],
};

/// `[hardware]`.
pub(super) const HARDWARE: Section = Section {
    doc: "parts of one's own; a preset's name changes only the keys that stand here",
    keys: &[
        key("gpus", Kind::Map(&Kind::Table(&Gpu::SECTION)), "GPUs"),
        key("nodes", Kind::Map(&Kind::Table(&Node::SECTION)), "HB-domain products"),
        key("nics", Kind::Map(&Kind::Table(&Nic::SECTION)), "NICs"),
        key("switches", Kind::Map(&Kind::Table(&Switch::SECTION)), "switches"),
        key("optics", Kind::Map(&Kind::Table(&Optic::SECTION)), "optics at one end of a link"),
        key("cables", Kind::Map(&Kind::Table(&Cable::SECTION)), "cables"),
        key(
            "appliances",
            Kind::Map(&Kind::Table(&Appliance::SECTION)),
            "switches and servers of the other networks",
        ),
        key("links", Kind::Map(&Kind::Table(&LinkKind::SECTION)), "what links are bought as"),
        key(
            "families",
            Kind::Map(&Kind::Table(&Family::SECTION)),
            "families of HB domains, each of which makes domains of several sizes",
        ),
        key(
            "calibrations",
            Kind::Map(&Kind::Table(&Calibration::SECTION)),
            "constants of the time model",
        ),
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

/// Keys of a price: those of its item, then what is known of it.
macro_rules! price_keys {
    ($($item:expr),* $(,)?) => {
        &[
            $($item,)*
            AMOUNT,
            LOW,
            HIGH,
            TIERS,
            VALID_UNTIL,
            LEAD_DAYS,
            INCLUDES,
            LEVEL,
            BASIS,
            DATE,
            SOURCE,
            NOTE,
        ]
    };
}

/// One price of a book.
pub(crate) const PRICE: Section = Section {
    doc: "the price of one part",
    keys: price_keys![
        key("item", Kind::Text, "part by name, or switch-port, transceiver, nic, host-memory (a GiB), electricity (a kWh), labour (an hour), link-cable")
            .required(),
        key("rate", BANDWIDTH, "line rate, where the item is priced by the rate"),
    ],
};

/// A price of the user's own, where it says more than the amount.
pub(crate) const OWN_PRICE: Section =
    Section { doc: "a price with its origin", keys: price_keys![] };

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
            .with_default_words("no price is called old"),
        // Two years: about a generation of parts.
        key(
            "max_age_months",
            Kind::Count { min: 1, max: 1200 },
            "months after which a price is warned of",
        )
        .default("24"),
        key(
            "discounts",
            Kind::Map(&Kind::Number { min: 0.0, max: 0.99 }),
            "share off, by part, by role (node, memory, nic, switch, optic, cable, appliance) or all; the nearest holds",
        ),
        key(
            "mark_ups",
            Kind::Map(&Kind::Number { min: 0.0, max: 2.0 }),
            "share on after the discount, likewise: duty, tax, freight",
        ),
        key("rates", RATES, "US dollars for one unit of other currencies, by code"),
    ],
};
