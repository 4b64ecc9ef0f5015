//! The out-of-band network: a port for each thing with a management controller.

/// What an out-of-band network is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfBand {
    /// Things with a port on it: machines, switches, servers, power strips.
    pub ports: u64,
    /// Most of a switch's ports that are used at first.
    pub fill: f64,
    /// Switches that machines need where each serves only so many of them.
    pub least: u64,
    /// Links of a switch to the in-band network.
    pub uplinks: u32,
    /// Copper ports of a switch.
    pub radix: u32,
}

/// Its switches and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutOfBandCounts {
    /// Switches.
    pub switches: u64,
    /// Copper cables.
    pub host_links: u64,
    /// Links to the in-band network.
    pub uplinks: u64,
}

impl OutOfBand {
    /// Counts; `None` where a switch has no port to use.
    #[must_use]
    pub fn count_out_of_band_network(&self) -> Option<OutOfBandCounts> {
        let each = f64::from(self.radix) * self.fill;
        if each < 1.0 {
            return None;
        }
        let switches = (self.ports as f64 / each - 1e-9).ceil().max(1.0) as u64;
        let switches = switches.max(self.least);
        let uplinks = switches * u64::from(self.uplinks);
        Some(OutOfBandCounts { switches, host_links: self.ports, uplinks })
    }
}

#[cfg(test)]
mod tests {
    use super::OutOfBand;

    /// RA-11333-001 V11, tables 7 and 8: 317 ports on 8 SN2201 of 48, 16 uplinks.
    #[test]
    fn the_out_of_band_network_of_the_h100_superpod() {
        let asked = OutOfBand { ports: 317, fill: 0.85, least: 0, uplinks: 2, radix: 48 };
        let counts = asked.count_out_of_band_network().expect("there are ports");
        assert_eq!((counts.switches, counts.uplinks, counts.host_links), (8, 16, 317));
        let more = OutOfBand { least: 16, ..asked }
            .count_out_of_band_network()
            .map(|band_counts| (band_counts.switches, band_counts.uplinks));
        assert_eq!(more, Some((16, 32)));
        assert_eq!(OutOfBand { radix: 1, ..asked }.count_out_of_band_network(), None);
    }
}
