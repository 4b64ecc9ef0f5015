//! Which cage and lane of a switch a link takes: ports in the order of wiring, links of each mode in cages
//! of their own.

use super::device::Port;

/// Cages of one switch that are taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cages {
    taken: u32,
    open: [OpenCage; 2],
}

/// The last cage of a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OpenCage {
    cage: u32,
    lane: u32,
    lanes: u32,
}

impl Cages {
    /// The next port for a link with so many lanes a cage; of the `second` mode or the first.
    pub(super) fn next_lane(&mut self, second: bool, lanes: u32) -> Port {
        let open = &mut self.open[usize::from(second)];
        if open.lane >= open.lanes {
            self.taken += 1;
            *open = OpenCage { cage: self.taken, lane: 0, lanes: lanes.max(1) };
        }
        open.lane += 1;
        Port { cage: open.cage, lane: open.lane, lanes: open.lanes }
    }

    /// Cages that are taken.
    pub(super) const fn used_cages(&self) -> u32 {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::Cages;

    #[test]
    fn links_fill_cages_and_each_mode_has_its_own() {
        let mut cages = Cages::default();
        let modes = [(false, 2), (false, 2), (false, 2), (true, 1), (true, 1), (false, 2)];
        let ports: Vec<String> = modes
            .into_iter()
            .map(|(mode, lanes)| cages.next_lane(mode, lanes).to_string())
            .collect();
        assert_eq!(ports, ["1.1", "1.2", "2.1", "3", "4", "2.2"]);
        assert_eq!(cages.used_cages(), 4);
    }
}
