//! A uniform all-to-all over HB domains that are joined by rails, with or without a spine
//! across them. docs/equations.md §8.2, §8.3.
//!
//! A message to a GPU on another rail is forwarded: inside the sender's domain to the GPU on the
//! destination's rail, then along that rail; or it takes the spine, as far as there is one.

use crate::parallel::Placement;
use crate::units::{Bandwidth, Bytes, Seconds};

/// The machines of an all-to-all; all rates are one way, of one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllToAll {
    /// HB domains M.
    pub domains: u32,
    /// GPUs K of a domain, and the rails that they are on, alike many on each.
    pub machine: Placement,
    /// Rate B_F into the HB domain.
    pub hb: Bandwidth,
    /// Part h of it that other traffic takes.
    pub hb_busy: Bandwidth,
    /// Rate B_S of the NIC.
    pub nic: Bandwidth,
    /// Bandwidth across rails over the NIC's (σ): 0 for rail-only, 1 for a full spine.
    pub across: f64,
}

impl AllToAll {
    /// The time in which each GPU sends `bytes` in equal parts to all others, where chunks are
    /// pipelined and routes are chosen best: max of X / B_S, (I + φ·X) / (B_F − h + σ·B_S) and
    /// I / (B_F − h), with X leaving the domain, I staying inside and φ of [`Placement::cross_rail_share`].
    ///
    /// Special cases: one domain takes I / (B_F − h); domains of one GPU take X / B_S.
    #[must_use]
    pub fn pipelined_time(&self, bytes: Bytes) -> Seconds {
        let (leaving, staying) = self.leaving_and_staying_bytes(bytes);
        let free = self.hb - self.hb_busy;
        let spine = self.nic * self.across;
        let inside = staying + leaving * self.machine.cross_rail_share();
        transfer_time(leaving, self.nic)
            .max(transfer_time(inside, free + spine))
            .max(transfer_time(staying, free))
    }

    /// The time where a message is forwarded whole before it is sent (arXiv 2307.12169 v5, with
    /// the factor φ that it leaves out): X / B_S · (1 + B_S / B_F · max(0, φ − σ)), and no less
    /// than what stays inside needs.
    #[must_use]
    pub fn store_and_forward_time(&self, bytes: Bytes) -> Seconds {
        let (leaving, staying) = self.leaving_and_staying_bytes(bytes);
        let forwarded = leaving * (self.machine.cross_rail_share() - self.across).max(0.0);
        let free = self.hb - self.hb_busy;
        (transfer_time(leaving, self.nic) + transfer_time(forwarded, free))
            .max(transfer_time(staying, free))
    }

    /// Bytes X that leave the domain and I that stay inside, of those of one GPU.
    fn leaving_and_staying_bytes(&self, bytes: Bytes) -> (f64, f64) {
        let size = f64::from(self.machine.domain_gpus());
        let others = f64::from(self.domains) * size - 1.0;
        if others < 1.0 {
            return (0.0, 0.0);
        }
        let each = bytes.as_f64() / others;
        (each * size * (f64::from(self.domains) - 1.0), each * (size - 1.0))
    }
}

/// Time of a fractional number of bytes; none take none.
fn transfer_time(bytes: f64, rate: Bandwidth) -> Seconds {
    if bytes <= 0.0 {
        Seconds::ZERO
    } else if rate <= Bandwidth::ZERO {
        Seconds::from_f64(f64::INFINITY)
    } else {
        Seconds::from_f64(bytes / rate.get())
    }
}

#[cfg(test)]
mod tests {
    use super::AllToAll;
    use crate::parallel::placement::Placement;
    use crate::units::bytes::Bytes;
    use crate::units::quantity::Bandwidth;

    fn machines(domain: u32, hb: f64, nic: f64) -> AllToAll {
        AllToAll {
            domains: 2048,
            machine: Placement::with_packed_domains(domain, domain),
            hb: Bandwidth::from_gigabytes(hb),
            hb_busy: Bandwidth::ZERO,
            nic: Bandwidth::from_gigabytes(nic),
            across: 0.0,
        }
    }

    /// Overhead in percent of forwarding whole messages over a full spine.
    #[track_caller]
    fn overhead(machines: AllToAll, percent: f64) {
        let full = AllToAll { across: 1.0, ..machines };
        let bytes = Bytes::from_gib(1);
        let found = (machines.store_and_forward_time(bytes) / full.store_and_forward_time(bytes)
            - 1.0)
            * 100.0;
        assert!((found - percent).abs() < 0.06, "{found} instead of {percent}");
    }

    #[test]
    fn forwarding_costs_the_ratio_of_nic_to_domain() {
        // The paper's 8.3 % and 11.1 %, times 7/8.
        overhead(machines(8, 300.0, 25.0), 8.333 * 0.875);
        overhead(machines(8, 450.0, 50.0), 11.111 * 0.875);
        overhead(machines(8, 160.0, 50.0), 27.3);
        overhead(machines(72, 900.0, 50.0), 5.5);
        overhead(machines(72, 900.0, 100.0), 11.0);
    }

    #[test]
    fn a_slow_domain_is_faster_with_a_spine() {
        let slow = machines(8, 25.0, 50.0);
        let full = AllToAll { across: 1.0, ..slow };
        let bytes = Bytes::from_gib(1);
        assert!(slow.pipelined_time(bytes) / full.pipelined_time(bytes) > 1.7);
    }

    #[test]
    fn one_domain_uses_no_nic() {
        let alone = AllToAll { domains: 1, ..machines(8, 450.0, 50.0) };
        let bytes = Bytes::new(450_000_000_000);
        assert!((alone.pipelined_time(bytes).get() - 1.0).abs() < 1e-12);
        assert!((alone.store_and_forward_time(bytes).get() - 1.0).abs() < 1e-12);
        let single = AllToAll { machine: Placement::with_packed_domains(1, 1), ..alone };
        assert_eq!(single.pipelined_time(bytes).get(), 0.0);
    }
}
