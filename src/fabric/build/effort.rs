//! How much work the making of builds may take: counted, so that every machine stops at the same
//! place.

/// What is left of a number of steps; each is a sum and a comparison or so.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildEffort {
    left: u64,
    cut: bool,
}

impl BuildEffort {
    /// Without an end.
    #[must_use]
    pub const fn with_unlimited_steps() -> Self {
        Self::with_steps(u64::MAX)
    }

    /// So many steps.
    #[must_use]
    pub const fn with_steps(steps: u64) -> Self {
        Self { left: steps, cut: false }
    }

    /// Takes steps; false where there are not as many left, and from then on.
    pub const fn has_spent_steps(&mut self, steps: u64) -> bool {
        if self.left < steps {
            (self.left, self.cut) = (0, true);
        } else {
            self.left -= steps;
        }
        !self.cut
    }

    /// A part of what is left, of no more than so many steps. [`Self::give_back`] takes in what it leaves.
    #[must_use]
    pub fn split_off_steps(&mut self, most: u64) -> Self {
        let part = most.min(self.left);
        self.left -= part;
        Self { left: part, cut: self.cut }
    }

    /// Takes in what a [part](Self::split_off_steps) leaves. Where nothing is left at all the end of the part is its own.
    pub const fn give_back(&mut self, part: Self) {
        self.left += part.left;
        self.cut |= part.cut && self.left == 0;
    }

    /// Whether it came to its end, so that builds may have been left out.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::BuildEffort;

    #[test]
    fn the_end_of_a_part_is_the_end_of_all_where_nothing_is_left() {
        let mut effort = BuildEffort::with_steps(10);
        let mut part = effort.split_off_steps(4);
        assert!(!part.has_spent_steps(5));
        effort.give_back(part);
        assert!(!effort.is_spent());
        let mut rest = effort.split_off_steps(9);
        assert!(rest.has_spent_steps(1) && !rest.has_spent_steps(6));
        effort.give_back(rest);
        assert!(effort.is_spent());
    }

    #[test]
    fn nothing_is_taken_beyond_the_end() {
        let mut effort = BuildEffort::with_steps(10);
        assert!(effort.has_spent_steps(7) && effort.has_spent_steps(3) && !effort.is_spent());
        assert!(!effort.has_spent_steps(1) && effort.is_spent() && !effort.has_spent_steps(0));
    }
}
