//! Tables: a struct and its keys in one declaration.

/// Declares a table of a spec: the struct that it is read into, with a row for each key.
///
/// ```text
/// pub struct Objective, "what to minimise" {
///     years: f64 = 4, in Kind::Number { min: 0.1, max: 100.0 }, "years of operation";
/// } besides { minimize: Minimize } first [MINIMIZE] last []
/// ```
///
/// A row is `field: type as "key" = default, in kind, "meaning" or "default in words".required;`.
/// The key is the field's name, and the kind that of the type, where the row says nothing else. A
/// default is a literal, or a choice in parentheses. Two more ends of a row are about what is read:
/// `else value` is what an absent key has, from the rows above it and from what is `given` to the
/// reader; `=> value` is taken instead of what is written, where that is a name of something else.
/// `besides` are fields without a key, which whoever reads fills in; `first` and `last` are keys of the
/// table that the struct has no field for.
///
/// With `defaults;` before it a table of which every key may be left out also has the constant
/// `DEFAULT`, what is read where all of them are.
macro_rules! table {
    (defaults; $($rest:tt)*) => {
        $crate::keys::table! { $($rest)* }
        $crate::keys::table! { @defaults $($rest)* }
    };
    (
        @defaults
        $(#[$meta:meta])*
        pub struct $type:ident, $about:literal {
            $(
                $(#[$doc:meta])*
                $field:ident: $kind_of:ty $(as $name:literal)? $(= $default:tt)?
                    $(, in $kind:expr)?, $means:literal $(or $words:literal)?;
            )*
        }
    ) => {
        impl $type {
            /// What holds where a spec says nothing.
            pub const DEFAULT: Self = Self {
                $($field: $crate::keys::table!(@value $($default)?),)*
            };
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $type:ident, $about:literal {
            $(
                $(#[$doc:meta])*
                $field:ident: $kind_of:ty $(as $name:literal)? $(= $default:tt)?
                    $(, in $kind:expr)?, $means:literal $(or $words:literal)? $(.$required:ident)?
                    $(else $else:expr)? $(=> $by:expr)?;
            )*
        }
        $(besides { $($(#[$other_doc:meta])* $other:ident: $other_type:ty),* $(,)? })?
        $(given { $($given:ident: $given_type:ty),* $(,)? })?
        $(first [$($first:expr),* $(,)?])?
        $(last [$($last:expr),* $(,)?])?
    ) => {
        $(#[$meta])*
        pub struct $type {
            $($($(#[$other_doc])* pub $other: $other_type,)*)?
            $($(#[$doc])* pub $field: $kind_of,)*
        }

        impl $type {
            /// Its keys in a spec.
            pub const SECTION: $crate::keys::Section = $crate::keys::Section {
                doc: $about,
                keys: &[
                    $($($first,)*)?
                    $($crate::keys::table!(
                        @key $field, $kind_of; $($name)?; {$($default)?} $($kind)?; $means;
                        $($words)?; $($required)?
                    ),)*
                    $($($last,)*)?
                ],
            };

            /// What a table says; `None` where it lacks a key that has no default.
            pub(crate) fn read(
                values: &impl $crate::keys::Values
                $($(, $other: $other_type)*)?
                $($(, $given: $given_type)*)?
            ) -> Option<Self> {
                $(let $field = $crate::keys::table!(
                    @value_of values, $kind_of,
                    const { &$crate::keys::table!(
                        @key $field, $kind_of; $($name)?; {$($default)?} $($kind)?; $means;
                        $($words)?; $($required)?
                    ) };
                    $(else $else)? $(=> $by)?
                );)*
                Some(Self { $($($other,)*)? $($field,)* })
            }

            /// Every key with what was read for it.
            pub fn each_key(&self, mut each: impl FnMut(&'static str, &dyn std::fmt::Debug)) {
                $(each($crate::keys::table!(@name $field; $($name)?), &self.$field);)*
            }
        }
    };
    (
        @key $field:ident, $type:ty; $($name:literal)?; {$($default:tt)?} $($kind:expr)?;
        $means:literal; $($words:literal)?; $($required:ident)?
    ) => {
        $crate::keys::key(
            $crate::keys::table!(@name $field; $($name)?),
            $crate::keys::table!(@kind $type; $($kind)?),
            $means,
        )
        $(.default($crate::keys::table!(@text $default)))?
        $(.with_default_words($words))?
        $(.$required())?
    };
    (@value_of $values:ident, $type:ty, $key:expr;) => {
        <$type as $crate::keys::Field>::read_value($values, $key)?
    };
    (@value_of $values:ident, $type:ty, $key:expr; else $else:expr) => {
        match <$type as $crate::keys::Field>::read_value($values, $key) {
            Some(value) => value,
            None => $else,
        }
    };
    (@value_of $values:ident, $type:ty, $key:expr; => $by:expr) => { $by };
    (@name $field:ident;) => { stringify!($field) };
    (@name $field:ident; $name:literal) => { $name };
    (@kind $type:ty;) => { <$type as $crate::keys::Field>::KIND };
    (@kind $type:ty; $kind:expr) => { $kind };
    (@text ($choice:expr)) => { $choice.name() };
    (@text $literal:literal) => { concat!($literal) };
    (@value) => { None };
    (@value ($choice:expr)) => { $choice };
    (@value $literal:literal) => { $literal };
}

pub(crate) use table;
