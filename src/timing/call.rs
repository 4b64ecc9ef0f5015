//! The time of one communication, and how long it keeps the links of each level busy. What runs at
//! the same time over the same link shares it; who runs at the same time is decided elsewhere.

use crate::units::Seconds;

/// How long links carry bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkBusyTime {
    /// Links inside the HB domain.
    pub inside: Seconds,
    /// The GPU's share of its domain's interfaces.
    pub across: Seconds,
}

/// One communication, or several one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallTime {
    /// From its start to its end where it has the links to itself; starts and waits included.
    pub time: Seconds,
    /// Of that, time in which links carry its bytes.
    pub busy: LinkBusyTime,
}

impl LinkBusyTime {
    /// Adds `times` times the other's time.
    pub(super) fn add_scaled(&mut self, other: &Self, times: f64) {
        self.inside += other.inside * times;
        self.across += other.across * times;
    }

    /// That many times as long.
    pub(super) fn scaled_by(&self, times: f64) -> Self {
        Self { inside: self.inside * times, across: self.across * times }
    }

    /// Time by which the busier link outlasts `window`.
    pub(super) fn time_beyond(&self, window: Seconds) -> Seconds {
        (self.inside.max(self.across) - window).max(Seconds::ZERO)
    }
}

impl CallTime {
    /// Adds `times` times the other.
    pub(super) fn add_scaled(&mut self, other: &Self, times: f64) {
        self.time += other.time * times;
        self.busy.add_scaled(&other.busy, times);
    }

    /// What is seen of it beside compute of length `window`, while others keep the links busy for
    /// `taken` of the same time: what outlasts the window, or what a link has no time left for;
    /// and a share of the rest, as it takes memory bandwidth and processors away.
    pub(super) fn exposed_time(
        &self,
        window: Seconds,
        taken: &LinkBusyTime,
        visible: f64,
    ) -> Seconds {
        let left = |taken: Seconds| (window - taken).max(Seconds::ZERO);
        let late = (self.time - window)
            .max(self.busy.inside - left(taken.inside))
            .max(self.busy.across - left(taken.across))
            .max(Seconds::ZERO);
        late + (self.time - late) * visible
    }
}

#[cfg(test)]
mod tests {
    use super::{CallTime, LinkBusyTime};
    use crate::units::Seconds;

    fn call(time: f64, inside: f64, across: f64) -> CallTime {
        CallTime {
            time: Seconds::from_f64(time),
            busy: LinkBusyTime {
                inside: Seconds::from_f64(inside),
                across: Seconds::from_f64(across),
            },
        }
    }

    #[test]
    fn what_shares_a_link_waits_for_it_and_what_does_not_hides() {
        let seen = |window, taken: CallTime, visible| {
            call(3.0, 1.0, 2.0).exposed_time(Seconds::from_f64(window), &taken.busy, visible).get()
        };
        let idle = call(0.0, 0.0, 0.0);
        assert_eq!(seen(4.0, idle, 0.0), 0.0);
        assert_eq!(seen(4.0, idle, 0.5), 1.5);
        assert_eq!(seen(1.0, idle, 0.0), 2.0);
        // Three of four seconds are taken: one is left for two seconds of bytes.
        assert_eq!(seen(4.0, call(3.0, 0.0, 3.0), 0.0), 1.0);
        assert_eq!(seen(4.0, call(3.0, 3.0, 0.0), 0.0), 0.0);
        // Nothing waits longer than it takes.
        assert_eq!(seen(0.0, call(9.0, 9.0, 9.0), 0.5), 3.0);
    }
}
