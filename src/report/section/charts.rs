//! Pictures of what tables say: where the money goes, where the time goes, what fills a memory,
//! and how designs compare. Amounts come in finished; here they only become bars.

use super::bill::share_of_whole;
use super::{machines, step_time};
use crate::compare::BaselineResult;
use crate::cost::{BillLine, Cost, Role};
use crate::design::{Plan, PriceBand, PriceCrossing};
use crate::memory::Memory;
use crate::report::number;
use crate::report::picture::{Bar, Bars, Ink, Picture};
use crate::search::Layouts;
use crate::timing::StepTime;
use crate::units::{Bytes, Seconds, Usd, Watts};
use crate::validate::SetResult;

/// Where the money goes: all of it, and the network by itself.
pub(in crate::report) fn bill_pictures(lines: &[BillLine], cost: &Cost) -> [Option<Picture>; 2] {
    let bars = |pair: &dyn Fn(&BillLine) -> bool, whole: Usd| {
        let bars = lines
            .iter()
            .filter(|line| pair(line) && line.total > Usd::ZERO)
            .map(|line| {
                let bought = line.count - line.owned;
                let name = format!("{} x {}", number::count(bought), line.part);
                let part = number::percent(share_of_whole(line.total.get(), whole.get()));
                let value = format!("{}, {part}", number::money(line.total));
                Bar::with_single_ink(name, value, line.total.get(), role_ink(line.role))
            })
            .collect();
        Bars { bars, whole: whole.get(), ..Bars::default() }
    };
    let all = bars(&|_| true, cost.capex);
    let network = bars(&|line| line.role.is_network(), cost.network_capex);
    [
        all.picture(&format!("What {} buys", number::money(cost.capex))),
        network.picture(&format!("The network: {} of it", number::money(cost.network_capex))),
    ]
}

/// The parts of a step one after the other, up to the whole.
pub(in crate::report) fn step_picture(time: &StepTime) -> Option<Picture> {
    let total = time.total_time();
    let mut bars = Vec::new();
    let mut start = 0.0;
    for (name, part) in
        step_time::step_time_parts(time).into_iter().filter(|(_, part)| part.get() > 0.0)
    {
        let ink = match name.as_str() {
            "compute" => Ink::Blue,
            "pipeline bubble" | "CPU and launch" | "waiting for the slowest GPU" => Ink::Purple,
            "optimizer" => Ink::Green,
            _ => Ink::Orange,
        };
        let value = format!(
            "{}, {}",
            number::time(part),
            number::percent(share_of_whole(part.get(), total.get()))
        );
        bars.push(Bar { start, ..Bar::with_single_ink(name, value, part.get(), ink) });
        start += part.get();
    }
    let whole = Bar::with_single_ink("step", number::time(total), total.get(), Ink::Quiet);
    bars.push(Bar { strong: true, ..whole });
    let legend = vec![
        (Ink::Blue, "compute"),
        (Ink::Orange, "waiting for traffic"),
        (Ink::Purple, "waiting for other GPUs and CPUs"),
        (Ink::Green, "optimizer"),
    ];
    Bars { bars, legend, ..Bars::default() }.picture("Where the time of a step goes")
}

/// What fills the memory of the fullest GPU, up to what it has.
pub(in crate::report) fn memory_picture(memory: &Memory, capacity: Bytes) -> Option<Picture> {
    let mut bars = Vec::new();
    let mut start = 0.0;
    for (name, bytes) in machines::memory_parts(memory) {
        let size = bytes.as_f64();
        bars.push(Bar {
            start,
            ..Bar::with_single_ink(name, number::memory(bytes), size, Ink::Blue)
        });
        start += size;
    }
    let limit = Some((capacity.as_f64(), format!("the GPU has {}", number::memory(capacity))));
    Bars { bars, limit, ..Bars::default() }.picture("What fills the memory of the fullest GPU")
}

/// How far each price may move before another design is chosen, in its own measure: a bar as far
/// as the design holds, cut off at a quarter and at four times.
pub(in crate::report) fn price_bands_picture(bands: &[PriceBand]) -> Option<Picture> {
    const LEAST: f64 = 0.25;
    const MOST: f64 = 4.0;
    let bars = bands.iter().map(|band| {
        let of_own = |turn: &PriceCrossing| share_of_whole(turn.price.get(), band.price.get());
        let (below, above) = (band.below.as_ref().map(of_own), band.above.as_ref().map(of_own));
        let end = |found: Option<f64>, open: &str| found.map_or(open.to_owned(), number::factor);
        let value = format!("{} to {}", end(below, "any"), end(above, "any"));
        let from = below.unwrap_or(LEAST);
        let length = above.unwrap_or(MOST) - from;
        let ink = if below.is_none() && above.is_none() { Ink::Quiet } else { Ink::Blue };
        Bar { start: from, ..Bar::with_single_ink(&band.part, value, length, ink) }
    });
    let limit = Some((1.0, "price of the book".to_owned()));
    let mut picture = Bars { bars: bars.collect(), whole: MOST, limit, ..Bars::default() }
        .picture("How far each price may move")?;
    picture.notes.push(
        "times its price in the book, from nothing to four times; `any`: the same design at any \
         price"
            .to_owned(),
    );
    (!bands.is_empty()).then_some(picture)
}

/// The design beside each baseline: what its network costs and draws, how long its step takes,
/// and what a token costs.
pub(in crate::report) fn baseline_pictures(
    design: &Plan,
    contenders: &[BaselineResult],
) -> [Option<Picture>; 4] {
    let field = DesignField { design, contenders };
    let network = field.design_bars(
        |plan| number::money(plan.cost.network_capex),
        |plan| {
            let network = plan.bill.iter().filter(|line| line.role.is_network());
            network.map(|line| (role_ink(line.role), line.total.get())).collect()
        },
    );
    let legend =
        vec![(role_ink(Role::Switch), "switches"), (role_ink(Role::Optic), "optics and cables")];
    let time = field.plain_bars(|plan| plan.step.time.total_time(), number::time, Seconds::get);
    let power = field.plain_bars(|plan| plan.cost.network_power, number::power, Watts::get);
    let read = |plan: &Plan| plan.cost.usd_per_million_tokens.unwrap_or(Usd::ZERO);
    let tokens = field.plain_bars(read, number::money, Usd::get);
    [
        Bars { legend, ..network }.picture("What the network costs"),
        time.picture("How long a step takes"),
        power.picture("What the network draws"),
        tokens.picture("What a million trained tokens cost"),
    ]
}

/// How long a step of each ranked layout takes.
pub(in crate::report) fn layouts_picture(found: &Layouts) -> Option<Picture> {
    let bars = found.ranked.iter().enumerate().map(|(place, ranked)| {
        let layout = &ranked.candidate.layout;
        let mut name = format!(
            "{}: tensor {}, pipeline {}, data {}",
            place + 1,
            layout.tensor,
            layout.pipeline,
            layout.data
        );
        if layout.context > 1 {
            name.push_str(&format!(", context {}", layout.context));
        }
        let time = ranked.candidate.time.total_time();
        let ink = if place == 0 { Ink::Blue } else { Ink::Quiet };
        Bar {
            strong: place == 0,
            ..Bar::with_single_ink(name, number::time(time), time.get(), ink)
        }
    });
    Bars { bars: bars.collect(), ..Bars::default() }.picture("How long a step takes")
}

/// Mean errors of the predicted step times, data set by data set.
pub(in crate::report) fn errors_picture(sets: &[SetResult]) -> Option<Picture> {
    let bars = sets.iter().filter(|result| result.time_errors().rows > 0).map(|result| {
        let (set, time) = (&result.set, result.time_errors());
        let ink = if result.is_fitted() { Ink::Blue } else { Ink::Orange };
        let name =
            format!("{}, {}", set.name, number::count_with_noun(time.rows as u64, "row", "rows"));
        Bar::with_single_ink(name, number::percent(time.mean), time.mean, ink)
    });
    let legend = vec![(Ink::Blue, "used for fitting"), (Ink::Orange, "did not")];
    Bars { bars: bars.collect(), legend, ..Bars::default() }
        .picture("Mean error of predicted step times")
}

/// A design and what it is held against.
struct DesignField<'a> {
    design: &'a Plan,
    contenders: &'a [BaselineResult],
}

impl DesignField<'_> {
    fn design_bars(
        &self,
        value: impl Fn(&Plan) -> String,
        pieces: impl Fn(&Plan) -> Vec<(Ink, f64)>,
    ) -> Bars {
        let fabric = &self.design.fabric;
        let name = if self.design.clusters.is_empty() {
            format!("design: {}, {}", fabric.kind, machines::planes_text(fabric.planes))
        } else {
            "design".to_owned()
        };
        let bar = |name: String, plan: &Plan, strong| Bar {
            name,
            value: value(plan),
            start: 0.0,
            pieces: pieces(plan),
            strong,
        };
        let mut bars = vec![bar(name, self.design, true)];
        bars.extend(
            self.contenders.iter().map(|result| bar(result.name.clone(), &result.plan, false)),
        );
        Bars { bars, ..Bars::default() }
    }

    /// Bars of one amount each; the design's stands out.
    fn plain_bars<Q: Copy>(
        &self,
        read: impl Fn(&Plan) -> Q,
        reads: impl Fn(Q) -> String,
        size: impl Fn(Q) -> f64,
    ) -> Bars {
        let mut bars =
            self.design_bars(|plan| reads(read(plan)), |plan| vec![(Ink::Quiet, size(read(plan)))]);
        for bar in bars.bars.iter_mut().filter(|bar| bar.strong) {
            bar.pieces.iter_mut().for_each(|(ink, _)| *ink = Ink::Blue);
        }
        bars
    }
}

const fn role_ink(role: Role) -> Ink {
    match role {
        Role::Node | Role::Memory => Ink::Blue,
        Role::Nic => Ink::Purple,
        Role::Switch => Ink::Orange,
        Role::Optic | Role::Cable | Role::Appliance | Role::Labour => Ink::Green,
    }
}
