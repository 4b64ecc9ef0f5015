//! Training techniques against their papers' printed numbers, and as a user switches them on.

mod axonn;
mod cli;
mod combined;
mod command;
mod demo;
mod multilevel;
mod page;
mod page_axonn;
mod page_commands;
mod page_swap;
mod page_words;
mod sums;
