//! How much work the making of builds may take: counted, so that every machine stops at the same
//! place.

/// What is left of a number of steps; each is a sum and a comparison or so.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    left: u64,
    cut: bool,
}

impl Effort {
    /// Without an end.
    #[must_use]
    pub const fn endless() -> Self {
        Self::of(u64::MAX)
    }

    /// So many steps.
    #[must_use]
    pub const fn of(steps: u64) -> Self {
        Self { left: steps, cut: false }
    }

    /// Takes steps; false where there are not as many left, and from then on.
    pub(super) const fn take(&mut self, steps: u64) -> bool {
        if self.left < steps {
            (self.left, self.cut) = (0, true);
        } else {
            self.left -= steps;
        }
        !self.cut
    }

    /// Whether it came to its end, so that builds may have been left out.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::Effort;

    #[test]
    fn nothing_is_taken_beyond_the_end() {
        let mut effort = Effort::of(10);
        assert!(effort.take(7) && effort.take(3) && !effort.is_spent());
        assert!(!effort.take(1) && effort.is_spent() && !effort.take(0));
    }
}
