//! Flows over the border of a leaf at the size of Llama 3's run, counted by hand: 16,384 GPUs on
//! nodes of 8, 8 tensor x 16 stages x 128 replicas, 110 nodes to a leaf of 128 ports.

use planner::collective::{FlatAlgorithm, Policy, SwitchReduction, call_volumes};
use planner::parallel::{Layout, Order, Placed, Placement, Schedule, Zero};
use planner::step::{Collective, Step, TrafficKind};
use planner::traffic::leaf_cut;
use planner::workload::Framework;

use crate::support::job::{framework, layout, model, training};

const LEAF: u32 = 110;

/// Most flows over a leaf's border: of the gradients' all-reduce, and of activations sent up.
fn cuts(order: Order) -> [f64; 2] {
    let layout =
        Layout { order, interleave: 7, schedule: Schedule::Interleaved, ..layout(8, 128, 16) };
    // Seven layers on every stage and no embedding, so that all rings carry the same.
    let framework = Framework { embedding: false, ..framework() };
    let step = Step::new(&model(7 * 16), &training(&layout, 16), &framework, &layout);
    let step = step.expect("the layout runs");
    let placed = Placed::new(&step.grid, Placement::with_packed_domains(8, 8));
    [Collective::AllReduce, Collective::ShiftUp].map(|wanted| {
        step.communications
            .iter()
            .filter(|communication| communication.collective == wanted)
            .map(|communication| leaf_cut(&step, communication, &placed, &Policy::default(), LEAF))
            .fold(0.0, f64::max)
    })
}

#[test]
fn stages_inside_replicas_cut_a_ring_for_each_stage() {
    // Rings step over 16 nodes, so 16 of them cross each border; a pipeline of 16 nodes is cut
    // at each end of a leaf, once onwards and once on its way round to the first stage.
    assert_eq!(cuts(Order::PP_INSIDE_DP), [16.0, 2.0]);
}

#[test]
fn replicas_inside_stages_cut_few_rings_and_every_message() {
    // A ring of 128 nodes is longer than a leaf: cut at both ends. Stages are 128 nodes apart,
    // so that every message of a leaf's 110 nodes leaves it.
    assert_eq!(cuts(Order::DP_INSIDE_PP), [2.0, 110.0]);
}

/// A gather of 64 on rails over leafs of 16: half of all bytes of PAT go to the neighbour, the
/// rest so far that (1 − d/g) + ½·log2 d of the vector cross a border; of a ring (g − 1)/g.
#[test]
fn parallel_trees_cross_a_border_as_the_closed_form_says() {
    for (members, leaf) in [(64_u32, 16_u32), (64, 8), (256, 32), (16, 4)] {
        let layout = Layout { zero: Zero::Optimizer, ..layout(8, members, 1) };
        let step = Step::new(&model(4), &training(&layout, 1), &framework(), &layout);
        let step = step.expect("the layout runs");
        let placed = Placed::new(&step.grid, Placement::with_packed_domains(8, 8));
        let gather = step
            .communications
            .iter()
            .find(|communication| communication.collective == Collective::AllGather);
        let gather = gather
            .filter(|communication| communication.kind == TrafficKind::Data)
            .expect("new parameters");
        let policy = Policy { flat: FlatAlgorithm::Pat, ..Policy::default() };
        let (d, g) = (f64::from(leaf), f64::from(members));
        let crossing = ((1.0 - d / g) + 0.5 * d.log2()) / ((g - 1.0) / g);
        let own = leaf_cut(&step, gather, &placed, &policy, leaf);
        assert!((own / crossing - 1.0).abs() < 1e-6, "{members} over {leaf}: {own}, {crossing}");
    }
}

/// An all-reduce of 64 on rails over leaf switches of 16, in vectors over the border and in vectors that an
/// interface sends: rings 2·63/64 and as much, double trees 3 and 2, switches that sum 1 and 1.
#[test]
fn switches_that_sum_take_one_vector_over_a_border() {
    let layout = layout(8, 64, 1);
    let step = Step::new(&model(4), &training(&layout, 1), &framework(), &layout);
    let step = step.expect("the layout runs");
    let placed = Placed::new(&step.grid, Placement::with_packed_domains(8, 8));
    let reduce =
        step.communications.iter().find(|communication| communication.kind == TrafficKind::Data);
    let reduce = reduce.expect("gradients");
    let vector = reduce.payload(0).as_f64();
    let policy = |flat, sums| Policy {
        flat,
        tuned: sums == SwitchReduction::Across,
        sums,
        ..Policy::default()
    };
    for (policy, border, sent) in [
        (
            policy(FlatAlgorithm::Ring, SwitchReduction::Nowhere),
            2.0 * 63.0 / 64.0,
            2.0 * 63.0 / 64.0,
        ),
        (policy(FlatAlgorithm::DoubleTree, SwitchReduction::Nowhere), 3.0, 2.0),
        (policy(FlatAlgorithm::Ring, SwitchReduction::Across), 1.0, 1.0),
    ] {
        let own = call_volumes(reduce, 0, &placed, &policy).across.as_f64() / vector;
        assert!((own / sent - 1.0).abs() < 1e-3, "{policy:?}: {own} vectors sent, not {sent}");
        let own = own * leaf_cut(&step, reduce, &placed, &policy, 16);
        assert!((own / border - 1.0).abs() < 1e-3, "{policy:?}: {own} vectors leave, not {border}");
    }
}

/// Inside a domain every GPU sends its vector once where the switches sum, and a ring sends it 2·7/8 times.
#[test]
fn switches_inside_a_domain_take_a_vector_of_each_gpu() {
    let layout = layout(8, 2, 1);
    let step = Step::new(&model(4), &training(&layout, 1), &framework(), &layout);
    let step = step.expect("the layout runs");
    let placed = Placed::new(&step.grid, Placement::with_packed_domains(8, 8));
    let of_kind = |communication: &&planner::step::Communication| {
        communication.kind == TrafficKind::Tensor
            && communication.collective == Collective::AllReduce
    };
    let reduce = step.communications.iter().find(of_kind).expect("sums of a tensor group");
    let vector = reduce.payload(0).as_f64();
    for (sums, sent) in
        [(SwitchReduction::Nowhere, 2.0 * 7.0 / 8.0), (SwitchReduction::Inside, 1.0)]
    {
        let policy = Policy { tuned: true, sums, ..Policy::default() };
        let own = call_volumes(reduce, 0, &placed, &policy).inside.as_f64() / vector;
        assert!((own / sent - 1.0).abs() < 1e-3, "{policy:?}: {own} vectors sent, not {sent}");
    }
}
