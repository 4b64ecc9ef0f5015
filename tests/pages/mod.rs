//! Pages: those that ship, their examples run and compared, and those that the program writes.

mod algorithms;
mod equations;
mod formulation;
mod gallery;
mod glossary;
mod html;
mod json;
mod page;
mod plan;
mod readme;
mod report;
mod words;
