//! What is shown: pages, JSON, explanations, lists of a hall.

mod explain;
mod hall;
mod pages;
mod support;
