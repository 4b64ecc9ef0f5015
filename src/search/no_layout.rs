//! Why no layout carries a job, with what is missing and what would help.

use std::fmt;

use super::near::Near;
use crate::parallel::{Layout, LayoutProblem};
use crate::units::Bytes;

/// Why no layout carries a job.
#[derive(Clone, Debug, PartialEq)]
pub enum NoLayout {
    /// Every layout breaks a rule.
    Illegal {
        /// GPUs that it has to use.
        gpus: u64,
        /// The rules that the layout breaks where the spec states one; else empty.
        problems: Vec<LayoutProblem>,
    },
    /// No layout divides the batch over the GPUs; with numbers near by one does.
    Undivided {
        /// GPUs that it has to use.
        gpus: u64,
        /// Sequences of the batch.
        batch: u64,
        /// What would do.
        near: Near,
    },
    /// The layout needs more GPUs than there are.
    Gpus {
        /// GPUs of the layout.
        needs: u64,
        /// GPUs of the cluster.
        has: u32,
    },
    /// No legal layout fits the memory of a GPU.
    Memory {
        /// Product that came nearest.
        node: String,
        /// Memory of the fullest GPU in the layout that needs least.
        needs: Bytes,
        /// Memory of a GPU.
        has: Bytes,
        /// Legal layouts that were looked at.
        legal: u64,
        /// A layout on as many GPUs that would fit; `None` where none was found or sought.
        fits: Option<Box<Layout>>,
    },
    /// There are more than are looked at.
    TooMany {
        /// So many are.
        most: u64,
    },
    /// Layouts run and fit, and a step of each takes longer than
    /// [any](crate::timing::StepTime::LONGEST).
    Endless {
        /// Product that came nearest.
        node: String,
    },
}

/// Bytes of a gibibyte.
const GIB: f64 = (1_u64 << 30) as f64;

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { gpus, problems } if problems.is_empty() => write!(
                f,
                "none can run on `{gpus}` GPUs: change `cluster.gpus` or `training.global_batch`, \
                 or search more with `--all`"
            ),
            Self::Illegal { problems, .. } => {
                f.write_str("the layout can't run")?;
                problems.iter().try_for_each(|problem| write!(f, "; {problem}"))
            }
            Self::Undivided { gpus, batch, near } => {
                let listed = |all: &[u64]| {
                    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
                };
                let batches = (!near.batches.is_empty())
                    .then(|| format!("`training.global_batch` {}", listed(&near.batches)));
                let counts = (!near.gpus.is_empty())
                    .then(|| format!("`cluster.gpus` {}", listed(&near.gpus)));
                let all: Vec<String> = batches.into_iter().chain(counts).collect();
                write!(
                    f,
                    "none can run on `{gpus}` GPUs, as no degrees divide a `global_batch` of \
                     {batch} over them: {} would do",
                    all.join(", or ")
                )
            }
            Self::Gpus { needs, has } => {
                write!(f, "the layout needs `{needs}` GPUs, the cluster has `{has}`")
            }
            Self::TooMany { most } => write!(
                f,
                "more than `{most}` are open, which would take minutes to hours: state some of \
                 `parallelism` (`tensor`, `context`, `expert`), or leave out `auto` there; \
                 `planner search` narrows them with `--where`, as in `--where tensor=8`"
            ),
            Self::Endless { node } => write!(
                f,
                "a step on `{node}` never ends: a bandwidth or a rate that it needs is nothing or \
                 next to it; look at its entry and at the shares of its calibration"
            ),
            Self::Memory { node, needs, has, legal, fits } => {
                if *legal > 1 {
                    write!(f, "`{legal}` can run, and none of them fits the memory: ")?;
                }
                write!(
                    f,
                    "the job needs {:.1} GiB on the fullest GPU, `{node}` has {:.1} GiB",
                    needs.as_f64() / GIB,
                    has.as_f64() / GIB
                )?;
                match fits {
                    Some(layout) => write!(
                        f,
                        ": tensor {} x pipeline {} x data {} would fit",
                        layout.tensor, layout.pipeline, layout.data
                    ),
                    None => f.write_str(
                        ": shard more (`tensor`, `pipeline`, `zero`), recompute more, take a \
                         larger GPU, or let `planner search --all` look",
                    ),
                }
            }
        }
    }
}

impl std::error::Error for NoLayout {}
