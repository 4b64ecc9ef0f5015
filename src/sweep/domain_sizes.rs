//! Sizes of HB domains beside one another: what each size of a domain makes of a cluster of each
//! size, and what a GPU of a larger domain may cost until it no longer pays. Each point is a design
//! made elsewhere; nothing is designed here.

use crate::cost::HbCost;
use crate::design::Warning;
use crate::gate::Snapshot;
use crate::units::{Seconds, Usd};

/// Sizes of domains for clusters of some sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainSizes {
    pub name: String,
    /// What a reader has to know before comparing them.
    pub warnings: Vec<Warning>,
    /// The points: cluster by cluster, in each the smallest domain first.
    pub points: Vec<DomainPoint>,
}

/// A cluster of domains of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainPoint {
    /// GPUs N of the cluster.
    pub gpus: u32,
    /// GPUs K of a domain.
    pub domain: u32,
    /// The product, or the family with its size.
    pub node: String,
    /// The family; `None` of a product.
    pub family: Option<String>,
    /// GPUs of the smallest piece that is replaced whole: what a failure takes at least.
    pub lost: u32,
    /// Switch chips of a domain; `None` where nobody says.
    pub chips: Option<u32>,
    /// What joins the GPUs of a domain; `None` where a part has no price, or a product is bought
    /// whole.
    pub hb: Option<HbCost>,
    /// Its design, or why there is none.
    pub outcome: Result<DomainDesign, String>,
}

/// What a design makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainDesign {
    pub step: Seconds,
    /// Share of the time that trains; `None` where it is not known.
    pub goodput: Option<f64>,
    /// Share of the GPUs that work and that no group can use while trays are out; `None` where it
    /// is not known.
    pub stranded: Option<f64>,
    /// Degrees of tensor, pipeline and data parallelism.
    pub layout: [u32; 3],
    /// GPUs that are bought for each of the cluster: some hold no rank, and some stand by.
    pub bought: f64,
    /// A machine, without interfaces and network, for each of its GPUs; `None` where it has no
    /// price.
    pub machine: Option<Usd>,
    /// Interfaces, switches, transceivers and cables, for each GPU that trains.
    pub network: Usd,
    /// Cost of a million tokens; `None` where machines have no price or there is none.
    pub per_token: Option<Usd>,
}

impl DomainDesign {
    /// What a result says.
    ///
    /// Special case: a result without the time of a step has none here either.
    #[must_use]
    pub fn from_snapshot(result: &Snapshot, node: &str, gpus: u32) -> Option<Self> {
        let figure = |key: &str| result.figures.get(key).copied();
        let each = 1.0 / f64::from(gpus.max(1));
        let role = |is: &dyn Fn(&str) -> bool| -> Usd {
            let lines = result.bill.iter().filter(|line| is(line.role.as_str()));
            lines.map(|line| line.total).fold(Usd::ZERO, |sum, total| sum + total) * each
        };
        let priced = !result.unpriced.iter().any(|part| part == node);
        let standby = figure("failures.standby_domains").unwrap_or(0.0);
        let domains = figure("cluster.hb_domains").unwrap_or(1.0).max(1.0);
        let size = figure("cluster.hb_domain_size").unwrap_or(f64::from(gpus) / domains);
        let bought = (domains + standby) * size * each;
        let degree = |key: &str| figure(key).map_or(1, |degree| degree as u32);
        Some(Self {
            step: Seconds::from_f64(figure("step.time_s")?),
            goodput: figure("goodput_share"),
            stranded: figure("failures.stranded_gpus_share"),
            layout: ["layout.tensor", "layout.pipeline", "layout.data"].map(degree),
            bought,
            machine: priced
                .then(|| role(&|role| role == "node" || role == "memory") * (1.0 / bought)),
            network: role(&|role| role != "node" && role != "memory"),
            per_token: figure("cost.usd_per_million_tokens").filter(|_| priced).map(Usd::from_f64),
        })
    }

    /// Time of a step over the share of the time that trains.
    #[must_use]
    pub fn effective_step_time(&self) -> Seconds {
        self.step * (1.0 / self.goodput.filter(|share| *share > 0.0).unwrap_or(1.0))
    }
}

impl DomainSizes {
    /// Share by which a larger domain has to shorten the step to be worth the name.
    pub const ALIKE: f64 = 0.01;

    /// Sizes of clusters, smallest first.
    #[must_use]
    pub fn cluster_sizes(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.points.iter().map(|point| point.gpus).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Points of a cluster that have a design.
    pub fn designed_points(
        &self,
        gpus: u32,
    ) -> impl Iterator<Item = (&DomainPoint, &DomainDesign)> {
        let filter = self.points.iter().filter(move |point| point.gpus == gpus);
        filter.filter_map(|point| point.outcome.as_ref().ok().map(|design| (point, design)))
    }

    /// The size of least cost a token among those with a price, the smallest of equals; `None`
    /// where none has one.
    #[must_use]
    pub fn cheapest_point(&self, gpus: u32) -> Option<(&DomainPoint, Usd)> {
        let priced = self
            .designed_points(gpus)
            .filter_map(|(point, design)| Some((point, design.per_token?)));
        priced.min_by(|a, b| a.1.get().total_cmp(&b.1.get()).then(a.0.domain.cmp(&b.0.domain)))
    }

    /// The smallest size beyond which no next larger one of its family shortens the step by
    /// [`Self::ALIKE`] or more.
    #[must_use]
    pub fn knee_point(&self, gpus: u32) -> Option<&DomainPoint> {
        let mut all: Vec<_> = self.designed_points(gpus).collect();
        all.sort_by_key(|(point, _)| point.domain);
        let first = all.first()?.0;
        let helps = |pair: &[(&DomainPoint, &DomainDesign)]| {
            pair[1].1.step.get() <= pair[0].1.step.get() * (1.0 - Self::ALIKE)
        };
        let last = all.windows(2).rev().find(|pair| helps(pair));
        Some(last.map_or(first, |pair| pair[1].0))
    }

    /// The size to which others of its cluster are compared: the smallest with a design.
    #[must_use]
    pub fn base_point(&self, gpus: u32) -> Option<(&DomainPoint, &DomainDesign)> {
        self.designed_points(gpus).min_by_key(|(point, _)| point.domain)
    }

    /// Dollars for each GPU by which a machine of this size may cost more than one of the smallest
    /// and still make tokens as cheap: ((s·M + r)·T/T' − r')/s' − M, M the machine, s GPUs bought
    /// for each of the cluster, r interfaces and network, T the step over the goodput
    /// (docs/equations.md §12.9). `None` for the smallest itself, and where its machines have no
    /// price.
    #[must_use]
    pub fn break_even(&self, point: &DomainPoint) -> Option<Usd> {
        let (base, first) = self.base_point(point.gpus)?;
        let design = point.outcome.as_ref().ok()?;
        if base.domain == point.domain && base.node == point.node {
            return None;
        }
        let machine = first.machine?;
        let faster = first.effective_step_time() / design.effective_step_time();
        let all = (machine * first.bought + first.network) * faster - design.network;
        Some(all * (1.0 / design.bought) - machine)
    }
}

#[cfg(test)]
mod tests {
    use super::{DomainDesign, DomainPoint, DomainSizes};
    use crate::units::{Seconds, Usd};

    fn point(domain: u32, step: f64, machine: Option<f64>, network: f64) -> DomainPoint {
        let per_token = machine.map(|machine| Usd::from_f64((machine + network) * step));
        let design = DomainDesign {
            step: Seconds::from_f64(step),
            goodput: None,
            stranded: None,
            layout: [1, 16, 256],
            bought: 1.0,
            machine: machine.map(Usd::from_f64),
            network: Usd::from_f64(network),
            per_token,
        };
        let outcome = Ok(design);
        DomainPoint {
            gpus: 4_096,
            domain,
            node: "f".into(),
            family: None,
            lost: 4,
            chips: None,
            hb: None,
            outcome,
        }
    }

    /// hb-domain study: GPUs of $31,250, a tier of rails less from 64 GPUs on, MoE of 64 experts
    /// with its exchanges hidden: $3,330, $4,405 and $7,932 a GPU for 16, 32 and 64 GPUs over 8.
    #[test]
    fn a_gpu_of_a_larger_domain_may_cost_what_its_time_is_worth() {
        // Two tiers: 3·N/k switches of 64 ports at $1,090 a port, four transceivers of $659.
        let two = 3.0 * 1_090.0 + 4.0 * 659.0;
        let one = 1_090.0 + 2.0 * 659.0;
        let points = vec![
            point(8, 9.727, Some(31_250.0), two),
            point(16, 8.927, None, two),
            point(32, 8.696, None, two),
            point(64, 8.690, None, one),
        ];
        let all = DomainSizes { name: "moe".into(), points, warnings: Vec::new() };
        let worth: Vec<Option<f64>> = all
            .points
            .iter()
            .map(|domain_point| all.break_even(domain_point).map(|price| price.get().round()))
            .collect();
        assert_eq!(worth, [None, Some(3_330.0), Some(4_405.0), Some(7_932.0)]);
        assert_eq!(
            all.knee_point(4_096).map(|domain_point| domain_point.domain),
            Some(32),
            "64 is shorter by 0.1 %"
        );
        assert_eq!(
            all.cheapest_point(4_096).map(|pair| pair.0.domain),
            Some(8),
            "the only one with a price"
        );
        assert_eq!(all.cluster_sizes(), [4_096]);
    }

    /// With a machine that costs as much more as it may, tokens cost what they cost on the
    /// smallest, also where a quarter more GPUs are bought than the cluster has.
    #[test]
    fn tokens_cost_as_much_with_a_machine_at_its_worth() {
        let with = |domain, step, bought, machine: f64| {
            let mut point = point(domain, step, Some(machine), 3_000.0);
            point.outcome = point.outcome.map(|design| DomainDesign { bought, ..design });
            point
        };
        let points = vec![with(4, 7.85, 1.0, 43_000.0), with(512, 4.43, 1.25, 77_000.0)];
        let all = DomainSizes { name: "idle".into(), points, warnings: Vec::new() };
        let worth = all.break_even(&all.points[1]).expect("the smallest has a price");
        let token = |machine: f64, bought: f64, step: f64| (machine * bought + 3_000.0) * step;
        let (small, large) =
            (token(43_000.0, 1.0, 7.85), token(43_000.0 + worth.get(), 1.25, 4.43));
        assert!((small - large).abs() < 1e-6 * small, "{small}, {large}");
    }
}
