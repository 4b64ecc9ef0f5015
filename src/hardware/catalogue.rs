//! Every network part that a design may use.

use super::{Cable, Family, LinkKind, Nic, Optic, Switch};
use crate::units::Bandwidth;

/// Parts to choose from, each list in the order of its names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    /// Switch models.
    pub switches: Vec<Switch>,
    /// Optical modules.
    pub optics: Vec<Optic>,
    /// Interfaces.
    pub nics: Vec<Nic>,
    /// Cables.
    pub cables: Vec<Cable>,
    /// What links are bought as.
    pub links: Vec<LinkKind>,
    /// Families of HB domains.
    pub families: Vec<Family>,
}

impl Catalogue {
    /// The optic that ends a link of that rate; `None` where there is none.
    #[must_use]
    pub fn find_optic(&self, link: Bandwidth) -> Option<&Optic> {
        self.optics.iter().find(|optic| optic.bandwidth == link)
    }

    /// The optic of that name.
    #[must_use]
    pub fn optic_named(&self, name: &str) -> Option<&Optic> {
        self.optics.iter().find(|optic| optic.name == name)
    }
}
