//! Which cage and lane of a switch a link takes: ports in the order of wiring, links of another mode in
//! cages of their own.

use super::device::Port;

/// Cages of one switch that are taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cages {
    cage: u32,
    lane: u32,
    mode: Option<u8>,
    lanes: u32,
}

impl Cages {
    /// The next port for a link of a mode with so many lanes a cage.
    pub(super) fn next(&mut self, mode: u8, lanes: u32) -> Port {
        let lanes = lanes.max(1);
        if self.mode != Some(mode) || self.lane >= self.lanes {
            *self = Self { cage: self.cage + 1, lane: 0, mode: Some(mode), lanes };
        }
        self.lane += 1;
        Port { cage: self.cage, lane: self.lane, lanes: self.lanes }
    }

    /// Cages that are taken.
    pub(super) const fn taken(&self) -> u32 {
        self.cage
    }
}

#[cfg(test)]
mod tests {
    use super::Cages;

    #[test]
    fn links_fill_cages_and_another_mode_begins_a_new_one() {
        let mut cages = Cages::default();
        let ports: Vec<String> = [(0, 2), (0, 2), (0, 2), (1, 1), (1, 1)]
            .into_iter()
            .map(|(mode, lanes)| cages.next(mode, lanes).to_string())
            .collect();
        assert_eq!(ports, ["1.1", "1.2", "2.1", "3", "4"]);
        assert_eq!(cages.taken(), 4);
    }
}
