//! Pages: those that ship, their examples run and compared, and those that the program writes.

mod budget;
mod equations;
mod formulation;
mod glossary;
mod html;
mod json;
mod page;
mod pictures;
mod plan;
mod readme;
mod report;
mod words;
