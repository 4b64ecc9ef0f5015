//! How regular the network of an answer is, and what a regular one takes more. Looks for none.

use super::premium::Premium;
use crate::fabric::Regularity;

/// A network beside the rule that networks are regular by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Regular {
    /// How the best network without the rule looks.
    pub free: Regularity,
    /// What the best regular network takes more than that one; `None` where there is none.
    pub premium: Option<Premium>,
    /// The regular one was chosen.
    pub chosen: bool,
}

impl Regular {
    /// What is paid for a regular network; `None` where the one without the rule was taken.
    #[must_use]
    pub fn paid(&self) -> Option<&Premium> {
        self.premium.as_ref().filter(|_| self.chosen)
    }
}
