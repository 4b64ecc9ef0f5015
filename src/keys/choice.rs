//! Choices: the names that a spec has for them stand at the variants, and nowhere else.

/// Declares an enum of which a spec names one: its variants, each with its name there. It has `ALL`
/// in the order of the documentation, `NAMES`, `name` and `parse`, and can be a field of a table.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* $variant),* }

        impl $type {
            /// All of them, in the order of the documentation.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Their names in a spec, in that order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its name in a spec.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The one of that name; `None` where there is none.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }

        impl $crate::keys::Field for $type {
            const KIND: $crate::keys::Kind = $crate::keys::Kind::Choice(Self::NAMES);

            fn read_value(
                values: &impl $crate::keys::Values,
                key: &$crate::keys::Key,
            ) -> Option<Self> {
                values.choice_value(key).and_then(|name| Self::parse(&name))
            }
        }
    };
}

pub(crate) use choices;
