//! Colours of traffic: the hue says what causes it, the depth how much it is.

use crate::step::TrafficKind;
use crate::traffic::ByKind;
use crate::units::Bytes;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HeatColour(pub(super) u8, pub(super) u8, pub(super) u8);

pub(super) const WHITE: HeatColour = HeatColour(255, 255, 255);
pub(super) const BLACK: HeatColour = HeatColour(32, 32, 32);
pub(super) const GREY: HeatColour = HeatColour(110, 110, 110);
pub(super) const LINE: HeatColour = HeatColour(226, 226, 226);
pub(super) const FRAME: HeatColour = HeatColour(150, 150, 150);

/// Depths of one hue. Few, so that neighbours of nearly equal volume look alike.
pub(super) const DEPTHS: u32 = 8;

/// Share of the hue in the lightest depth; below it nobody sees a thin line on white.
const LIGHTEST: f64 = 0.4;

/// Hue of a kind, from the colours that Okabe and Ito (2008) chose for all kinds of sight.
pub(super) const fn kind_hue(kind: TrafficKind) -> HeatColour {
    match kind {
        TrafficKind::Tensor => HeatColour(0, 90, 160),
        TrafficKind::Pipeline => HeatColour(213, 94, 0),
        TrafficKind::Data => HeatColour(0, 140, 100),
        TrafficKind::Context => HeatColour(170, 70, 140),
        TrafficKind::Expert => HeatColour(200, 130, 0),
    }
}

/// A hue at a depth from 0 to [`DEPTHS`] − 1.
pub(super) fn kind_shade(kind: TrafficKind, depth: u32) -> HeatColour {
    let share = LIGHTEST + (1.0 - LIGHTEST) * f64::from(depth) / f64::from(DEPTHS - 1);
    let HeatColour(r, g, b) = kind_hue(kind);
    let mixed = |channel: u8| (255.0 + (f64::from(channel) - 255.0) * share).round() as u8;
    HeatColour(mixed(r), mixed(g), mixed(b))
}

/// The kind that sends most; `None` where nothing is sent.
pub(super) fn leading_kind(bytes: &ByKind) -> Option<TrafficKind> {
    // Of equals the first, in the order of the contract.
    TrafficKind::ALL
        .into_iter()
        .filter(|kind| !bytes.bytes_of_kind(*kind).is_zero())
        .rev()
        .max_by_key(|kind| bytes.bytes_of_kind(*kind))
}

/// A logarithmic scale between two volumes.
#[derive(Clone, Copy, Debug)]
pub(super) struct VolumeScale {
    pub(super) low: Bytes,
    pub(super) high: Bytes,
}

impl VolumeScale {
    /// The scale of some volumes; those of zero do not count.
    pub(super) fn from_volumes(volumes: impl Iterator<Item = Bytes>) -> Self {
        let mut scale = Self { low: Bytes::ZERO, high: Bytes::ZERO };
        for bytes in volumes.filter(|bytes| !bytes.is_zero()) {
            scale.low = if scale.low.is_zero() { bytes } else { scale.low.min(bytes) };
            scale.high = scale.high.max(bytes);
        }
        scale
    }

    /// Position of a volume on the scale, 0 to `steps` − 1; the last where there is one volume.
    pub(super) fn volume_depth(&self, bytes: Bytes, steps: u32) -> u32 {
        let span = (self.high.as_f64() / self.low.as_f64().max(1.0)).ln();
        let above = (bytes.as_f64() / self.low.as_f64().max(1.0)).ln();
        if span <= 0.0 {
            return steps - 1;
        }
        ((above / span * f64::from(steps)) as u32).min(steps - 1)
    }
}
