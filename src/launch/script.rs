//! What comes out: a file, what it does not set, and what the stack can't do.

use std::fmt;

use super::order::is_same_rank_order;
use crate::parallel::{Layout, Order};

/// Something that a stack can't run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unable {
    /// What, and whose fault it is.
    pub what: String,
    /// The way out.
    pub hint: String,
}

impl fmt::Display for Unable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A file to start a job with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The file, with its remarks as comments.
    pub text: String,
    /// What the step assumes and the file does not set.
    pub unset: Vec<String>,
    pub(super) unable: Vec<Unable>,
}

impl Script {
    /// Says that the step assumes what the file does not set.
    pub(super) fn note_unset(&mut self, what: impl Into<String>) {
        self.unset.push(what.into());
    }

    /// As [`Self::unset`], where that is so.
    pub(super) fn unset_if(&mut self, is: bool, what: &str) {
        if is {
            self.note_unset(what);
        }
    }

    /// Refuses the layout where it can't run.
    pub(super) fn refuse_when(&mut self, is: bool, what: impl Into<String>, hint: &str) {
        if is {
            self.unable.push(Unable { what: what.into(), hint: hint.to_owned() });
        }
    }

    /// Refuses orders of ranks in which pipeline stages are not outermost.
    pub(super) fn refuse_orders(&mut self, stack: &str, layout: &Layout) {
        self.refuse_when(
            !is_same_rank_order(layout, Order::DP_INSIDE_PP),
            format!("{stack} has no rank order {}", layout.order),
            "`--set parallelism.order=tp-cp-ep-dp-pp`",
        );
    }

    /// The remarks, each a line of comment.
    pub(super) fn remark_comments(&self, mark: &str, lead: &[String]) -> String {
        let mut text: String = lead.iter().map(|line| format!("{mark} {line}\n")).collect();
        if !self.unset.is_empty() {
            text.push_str(&format!("{mark} The step assumes, and this file does not set:\n"));
            text.extend(self.unset.iter().map(|line| format!("{mark} - {line}\n")));
        }
        text
    }
}
