//! Groups of ranks against those that Megatron-Core itself creates, kept in
//! `tests/data/megatron_groups.txt` by `tests/recordings/megatron_groups.py`.

use std::collections::BTreeSet;

use planner::parallel::{Group, Layout, Order, Rank, RankGrid};

const RECORDED: &str = include_str!("../data/megatron_groups.txt");

const KINDS: [(&str, Group); 7] = [
    ("tp", Group::Tensor),
    ("cp", Group::Context),
    ("dp_cp", Group::Data),
    ("pp", Group::Pipeline),
    ("ep", Group::Expert),
    ("expt_tp", Group::ExpertTensor),
    ("expt_dp", Group::ExpertData),
];

/// The ranks of nested steps, the innermost first.
pub(crate) fn ranks(steps: &str) -> Vec<u32> {
    steps.split(',').fold(vec![0], |inner, step| {
        let (count, distance) = step.split_once('*').expect("count * distance");
        let (count, distance): (u32, u32) =
            (count.parse().expect("a number"), distance.parse().expect("a number"));
        (0..count).flat_map(|k| inner.iter().map(move |rank| rank + k * distance)).collect()
    })
}

/// Every group of a kind as the grid lays it.
pub(crate) fn laid(grid: &RankGrid, group: Group) -> BTreeSet<Vec<u32>> {
    let size = grid.group_size(group);
    (0..grid.ranks())
        .map(Rank)
        .filter(|rank| grid.position_in_group(*rank, group) == 0)
        .map(|rank| (0..size).map(|place| grid.group_member(rank, group, place).0).collect())
        .collect()
}

/// Whether borders between two degrees of the one generator cut through degrees of the other.
fn crossing(layout: &Layout) -> bool {
    let Layout { tensor, context, data, pipeline, expert, expert_tensor, .. } = *layout;
    let read = |axis: &str| match axis {
        "tp" => (tensor, expert_tensor),
        "cp" => (context, 1),
        "ep" => (1, expert),
        "dp" => (data, tensor * context * data / (expert * expert_tensor)),
        _ => (pipeline, pipeline),
    };
    let text = layout.order.to_string();
    let (dense, experts): (Vec<u32>, Vec<u32>) = text.split('-').map(read).unzip();
    let cut = |a: u32, b: u32| !a.is_multiple_of(b) && !b.is_multiple_of(a);
    borders(&dense).iter().any(|a| borders(&experts).iter().any(|b| cut(*a, *b)))
}

/// Products of the degrees up to each, the fastest first.
fn borders(degrees: &[u32]) -> Vec<u32> {
    let product = |border: &mut u32, degree: &u32| {
        *border *= degree;
        Some(*border)
    };
    degrees.iter().scan(1, product).collect()
}

#[test]
fn every_group_is_megatrons_where_both_accept_the_layout() {
    let (mut both, mut crossed, mut only_megatron, mut only_here) = (0, 0, 0, 0);
    let mut largest = 0;
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut degree = || words.next().and_then(|word| word.parse().ok()).expect("a degree");
        let [tensor, context, data, pipeline, expert, expert_tensor] =
            [degree(), degree(), degree(), degree(), degree(), degree()];
        let order = words.next().and_then(Order::parse).expect("an order");
        let layout = Layout {
            tensor,
            context,
            data,
            pipeline,
            expert,
            expert_tensor,
            order,
            ..Layout::ONE_GPU
        };
        let recorded: Vec<&str> = words.collect();
        match RankGrid::new(&layout) {
            Some(_) if recorded == ["refused"] => {
                // It wants as many replicas of experts as of the dense part wherever the pipeline
                // is not outermost; equal stages, or no experts to tell apart, are enough here.
                let unequal = tensor * context != expert * expert_tensor;
                let inner = pipeline > 1 && !order.to_string().ends_with("pp");
                assert!(unequal && inner, "{line}: accepted for no known reason");
                only_here += 1;
            }
            None if recorded == ["refused"] => {}
            None => {
                assert!(crossing(&layout), "{line}: refused, though its borders nest");
                only_megatron += 1;
            }
            Some(grid) => {
                largest = largest.max(grid.ranks());
                // Without expert parallelism, experts are laid as dense matrices where the ranks
                // of the two can't be made of the same digits.
                let alike = if crossing(&layout) {
                    assert_eq!(expert, 1, "{line}");
                    crossed += 1;
                    4
                } else {
                    both += 1;
                    KINDS.len()
                };
                for (kind, group) in KINDS.into_iter().take(alike) {
                    let text =
                        recorded.iter().find_map(|text| text.strip_prefix(kind)?.strip_prefix(':'));
                    let (size, steps) =
                        text.and_then(|text| text.split_once(':')).expect("every kind");
                    let size: usize = size.parse().expect("a size");
                    let expected: BTreeSet<Vec<u32>> =
                        ranks(steps).chunks(size).map(<[u32]>::to_vec).collect();
                    assert!(laid(&grid, group) == expected, "{kind} of {line}");
                }
            }
        }
    }
    assert!(both >= 500 && largest == 4096, "{both} layouts of up to {largest} ranks");
    assert_eq!([both, crossed, only_megatron, only_here], [857, 5, 134, 55], "of the fixture");
}
