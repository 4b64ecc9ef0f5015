//! Chips and links of HB domains, against published products, against plain enumeration of pods and
//! lanes written here, and against a walk over the wired graph.

use petgraph::algo::connected_components;
use petgraph::visit::EdgeRef as _;
use planner::fabric::{HbCounts, HbGraph, HbNode, HbProblem, HbRequest, count_domain};
use planner::hardware::{HbKind, Striping};

#[track_caller]
fn count(request: &HbRequest) -> HbCounts {
    count_domain(request).unwrap_or_else(|problem| panic!("{request:?}: {problem}"))
}

fn two(gpus: u32, links: u32, ports: u32, taper: u32) -> HbRequest {
    HbRequest { levels: Some(2), taper, ..HbRequest::for_switch_chips(gpus, links, ports) }
}

/// Chips of two levels by trying every pod and every number of links to one chip: those of the
/// first level, those of the second, fewest in all.
fn tried(gpus: u64, links: u64, ports: u64, taper: u64, even: bool) -> Option<(u64, u64)> {
    let mut best: Option<(u64, u64)> = None;
    for pod in 1..gpus {
        for lanes in 1..=links {
            let (down, up) = (lanes * pod, lanes * pod / taper);
            let fits = gpus.is_multiple_of(pod)
                && links.is_multiple_of(lanes)
                && down % taper == 0
                && up > 0
                && down + up <= ports;
            if !fits {
                continue;
            }
            for spines in 1..=up {
                let room = spines * ports >= gpus / pod * up;
                if room && (!even || up % spines == 0) {
                    let chips = (links / lanes * (gpus / pod), links / lanes * spines);
                    if best.is_none_or(|pair| chips.0 + chips.1 < pair.0 + pair.1) {
                        best = Some(chips);
                    }
                    break;
                }
            }
        }
    }
    best
}

/// Published products, each with the rule of its packaging: chips, links with an end at a GPU, links
/// between chips.
#[test]
fn chips_and_links_of_published_products() {
    let one = HbRequest::for_switch_chips;
    let pods = |gpus, pod| HbRequest { pod: Some(pod), ..two(gpus, 18, 64, 1) };
    let ports = Striping::Ports;
    for (name, request, expected) in [
        // Hot Chips 30: two boards of six chips, eight links between any two that face each other.
        ("DGX-2", HbRequest { twin: true, ..one(16, 6, 18) }, (12, 96, 48)),
        // Six chips (data sheet): two links of a GPU to each, where four would fit.
        ("DGX A100", HbRequest { lanes: Some(2), ..one(8, 12, 36) }, (6, 96, 0)),
        // Four chips (data sheet), 5, 4, 4, 5 links of a GPU: a third more than needed.
        ("DGX H100", HbRequest { packaging: 1.3333, ..one(8, 18, 64) }, (4, 144, 0)),
        ("HGX B200", one(8, 18, 72), (2, 144, 0)),
        // Nine trays of two chips.
        ("GB200 NVL72", one(72, 18, 72), (18, 1_296, 0)),
        // Twin racks of 36: 18 trays of two chips, 648 links between the racks.
        ("GB200 NVL36x2", HbRequest { twin: true, ..one(72, 18, 72) }, (36, 1_296, 648)),
        // 96 + 36 trays of two chips (announcement, May 2023): pods of 8 GPUs, three links to a chip.
        ("DGX GH200-256", HbRequest { lanes: Some(3), ..pods(256, 8) }, (264, 4_608, 4_608)),
        // Hot Chips 34: half of the links of each node leave it, for 18 switches of two chips.
        (
            "NVL256 of H100",
            HbRequest { striping: ports, taper: 2, ..pods(256, 8) },
            (164, 4_608, 2_304),
        ),
        // 288 + 144 chips, at 4.5 links of each of the first to one of the second.
        (
            "NVL576",
            HbRequest { striping: Striping::Uneven, ..two(576, 18, 72, 1) },
            (432, 10_368, 10_368),
        ),
        ("Vera Rubin NVL72", one(72, 36, 72), (36, 2_592, 0)),
    ] {
        let counts = count(&request);
        assert_eq!((counts.chip_count(), counts.gpu_links, counts.long_links), expected, "{name}");
        walked(&counts);
    }
    // By level, where a product states them.
    let levels = |counts: HbCounts| (counts.leaf_chips, counts.spine_chips);
    assert_eq!(levels(count(&HbRequest { lanes: Some(3), ..pods(256, 8) })), (192, 72));
    let ranger = HbRequest { striping: ports, taper: 2, ..pods(256, 8) };
    assert_eq!(levels(count(&ranger)), (128, 36));
    let nvl576 = HbRequest { striping: Striping::Uneven, ..two(576, 18, 72, 1) };
    assert_eq!(levels(count(&nvl576)), (288, 144));
    // With as many links to one chip above as to another it takes more.
    assert_eq!(levels(count(&two(576, 18, 72, 1))), (288, 162));
}

/// What chips of 72 ports make of GPUs with 18 links: one level, then two levels at 1:1, 2:1, 4:1,
/// in brackets with uneven striping at 1:1.
#[test]
fn chips_of_every_size_and_taper() {
    #[rustfmt::skip]
    #[allow(clippy::type_complexity)] // the row of a published table
    let rows: [(u32, Option<u64>, [(u64, u64); 3], (u64, u64)); 8] = [
        (16,  Some(5),  [(8, 4),     (6, 3),    (6, 3)],    (8, 4)),
        (32,  Some(9),  [(16, 8),    (12, 6),   (12, 3)],   (16, 8)),
        (36,  Some(9),  [(18, 9),    (18, 6),   (18, 3)],   (18, 9)),
        (64,  Some(18), [(32, 18),   (24, 9),   (24, 6)],   (32, 16)),
        (72,  Some(18), [(36, 18),   (27, 9),   (27, 6)],   (36, 18)),
        (144, None,     [(72, 36),   (54, 18),  (54, 9)],   (72, 36)),
        (256, None,     [(128, 72),  (96, 36),  (96, 18)],  (128, 64)),
        (576, None,     [(288, 162), (216, 72), (216, 36)], (288, 144)),
    ];
    assert_eq!(count(&HbRequest::for_switch_chips(8, 18, 72)).chip_count(), 2);
    for (gpus, one_level, tapered, uneven) in rows {
        let single = count_domain(&HbRequest {
            levels: Some(1),
            ..HbRequest::for_switch_chips(gpus, 18, 72)
        });
        assert_eq!(single.ok().map(|counts| counts.chip_count()), one_level, "{gpus} in one level");
        for (taper, chips) in [1, 2, 4].into_iter().zip(tapered) {
            let counts = count(&two(gpus, 18, 72, taper));
            assert_eq!(counts.chips_needed(), chips.0 + chips.1, "{gpus} at {taper}:1: {counts:?}");
            let brute = tried(gpus.into(), 18, 72, taper.into(), true).expect("it can be");
            assert_eq!(brute.0 + brute.1, counts.chips_needed(), "{gpus} at {taper}:1");
            assert_eq!(counts.long_links, u64::from(gpus) * 18 / u64::from(taper));
            walked(&counts);
        }
        let striping = Striping::Uneven;
        let counts = count(&HbRequest { striping, ..two(gpus, 18, 72, 1) });
        assert_eq!(counts.chips_needed(), uneven.0 + uneven.1, "{gpus}, uneven");
        walked(&counts);
    }
    // Chips of 64 ports; those of 72 with 36 links; a chip of 144 ports.
    for (gpus, links, ports, chips) in [
        (8, 18, 64, 3),
        (16, 18, 64, 5),
        (32, 18, 64, 9),
        (36, 18, 64, 18),
        (64, 18, 64, 18),
        (8, 36, 72, 4),
        (16, 36, 72, 9),
        (32, 36, 72, 18),
        (36, 36, 72, 18),
        (64, 36, 72, 36),
        (72, 36, 72, 36),
        (144, 18, 144, 18),
    ] {
        let counts = count(&HbRequest::for_switch_chips(gpus, links, ports));
        assert_eq!(
            (counts.levels, counts.chip_count()),
            (1, chips),
            "{gpus} of {links} links, {ports} ports"
        );
        walked(&counts);
    }
    for (gpus, even, uneven) in
        [(144, 96 + 54, 81 + 45), (256, 144 + 72, 144 + 72), (576, 384 + 162, 324 + 162)]
    {
        assert_eq!(count(&two(gpus, 18, 64, 1)).chips_needed(), even, "{gpus}");
        let striping = Striping::Uneven;
        assert_eq!(count(&HbRequest { striping, ..two(gpus, 18, 64, 1) }).chips_needed(), uneven);
    }
}

/// Any size, links, ports and taper: as few chips as trying everything finds, or none where it finds
/// none.
#[test]
fn two_levels_take_as_few_chips_as_trying_every_pod_finds() {
    let (mut built, mut none) = (0, 0);
    for gpus in (4..=96).step_by(4) {
        for (links, ports) in [(6, 18), (12, 36), (18, 64), (18, 72), (4, 8), (5, 16)] {
            for taper in 1..=4 {
                for striping in [Striping::Even, Striping::Uneven] {
                    let request = HbRequest { striping, ..two(gpus, links, ports, taper) };
                    let even = striping == Striping::Even;
                    let brute = tried(gpus.into(), links.into(), ports.into(), taper.into(), even);
                    match count_domain(&request) {
                        Ok(counts) => {
                            let (leafs, spines) = brute.expect("trying finds it too");
                            assert_eq!(counts.chips_needed(), leafs + spines, "{request:?}");
                            walked(&counts);
                            built += 1;
                        }
                        Err(HbProblem::TwoLevels { .. }) => {
                            assert_eq!(brute, None, "{request:?}");
                            none += 1;
                        }
                        Err(other) => panic!("{request:?}: {other}"),
                    }
                }
            }
        }
    }
    assert!(built > 300 && none > 20, "{built} built, {none} impossible");
}

/// What a walk over the wired graph finds: every GPU has all its links, no chip more than its ports,
/// free ports and links as counted, all in one piece, and even striping is even.
#[track_caller]
fn walked(counts: &HbCounts) {
    let wired = HbGraph::new(counts).expect("it is small enough");
    let graph = wired.graph();
    let (mut leafs, mut spines, mut free) = (0, 0, 0);
    for node in graph.node_indices() {
        let links = graph.edges(node).count() as u64;
        match graph[node] {
            HbNode::Gpu(_) => {
                let all = if counts.levels == 0 {
                    2 * counts.gpu_links / u64::from(counts.request.gpus)
                } else {
                    counts.request.links.into()
                };
                assert_eq!(links, all, "{counts:?}");
            }
            chip => {
                let ports = u64::from(counts.request.ports);
                assert!(links <= ports, "{chip:?} has {links} links: {counts:?}");
                free += ports - links;
                if matches!(chip, HbNode::Leaf(_)) { leafs += 1 } else { spines += 1 }
            }
        }
    }
    assert_eq!(
        (leafs, spines, free),
        (counts.leaf_chips, counts.spine_chips, counts.free_ports),
        "{counts:?}"
    );
    assert_eq!(graph.edge_count() as u64, counts.link_count(), "{counts:?}");
    assert_eq!(connected_components(graph), 1, "{counts:?}");
    let between = graph.edge_references().filter(|edge| {
        let gpu = |node| matches!(graph[node], HbNode::Gpu(_));
        !gpu(edge.source()) && !gpu(edge.target())
    });
    assert_eq!(between.count() as u64, counts.long_links, "{counts:?}");
    if counts.levels == 2 && counts.request.striping == Striping::Even {
        for leaf in graph.node_indices().filter(|node| matches!(graph[*node], HbNode::Leaf(_))) {
            let up = |node| matches!(graph[node], HbNode::Spine(_));
            let mut each = std::collections::BTreeMap::new();
            for above in graph.neighbors(leaf).filter(|node| up(*node)) {
                *each.entry(above).or_insert(0_u64) += 1;
            }
            let first = each.values().next().copied();
            assert!(each.values().all(|links| Some(*links) == first), "{counts:?}: {each:?}");
        }
    }
}

/// Least rate of an all-to-all over shortest ways, the load of each spread evenly over all of them:
/// a walk over the graph from every GPU, in links' rate times links of a GPU.
fn spread(counts: &HbCounts) -> f64 {
    let wired = HbGraph::new(counts).expect("small");
    let graph = wired.graph();
    let mut hops = 0_u64;
    for from in graph.node_indices() {
        let mut far = vec![u64::MAX; graph.node_count()];
        let mut queue = std::collections::VecDeque::from([from]);
        far[from.index()] = 0;
        while let Some(node) = queue.pop_front() {
            for next in graph.neighbors(node) {
                if far[next.index()] == u64::MAX {
                    far[next.index()] = far[node.index()] + 1;
                    queue.push_back(next);
                }
            }
        }
        hops += far.iter().sum::<u64>();
    }
    // Each link carries a unit each way. Of domains that look alike from every GPU and every link
    // the bound by length is reached.
    let gpus = graph.node_count() as f64;
    let mean = hops as f64 / (gpus * gpus);
    2.0 * graph.edge_count() as f64 / gpus / mean / f64::from(counts.request.links)
}

#[test]
fn domains_without_chips() {
    let direct =
        |kind, gpus, links| HbRequest { kind, ..HbRequest::for_switch_chips(gpus, links, 0) };
    let mesh = count(&direct(HbKind::FullMesh, 8, 18));
    assert_eq!((mesh.lanes, mesh.link_count()), (2, 56));
    assert!((mesh.all_to_all - 14.0 / 18.0).abs() < 1e-12);
    walked(&mesh);
    // UB-Mesh, a rack of 8 by 8: 8²·7 links; 9/16 of the bandwidth in an all-to-all.
    let square = count(&direct(HbKind::Mesh2d, 64, 14));
    assert_eq!((square.lanes, square.link_count()), (1, 448));
    assert!((square.all_to_all - 0.5625).abs() < 1e-12);
    walked(&square);
    // TPU v4 cubes: 3·s³ links; 4/(3s).
    for (side, share) in [(4_u32, 1.0 / 3.0), (8, 1.0 / 6.0)] {
        let torus = count(&direct(HbKind::Torus, side.pow(3), 6));
        assert_eq!(torus.link_count(), 3 * u64::from(side).pow(3));
        assert!((torus.all_to_all - share).abs() < 1e-12, "{torus:?}");
        assert!((spread(&torus) - share).abs() < 1e-9, "{side}: {}", spread(&torus));
        walked(&torus);
    }
    for hops in 1..=3 {
        let ring = count(&HbRequest { hops, ..direct(HbKind::Ring, 48, 6) });
        assert_eq!(ring.link_count(), 48 * u64::from(hops) * u64::from(ring.lanes));
        // A cut in half and shortest ways both bound it from above.
        assert!(ring.all_to_all <= spread(&ring) + 1e-9, "{hops}: {ring:?}");
        walked(&ring);
    }
    assert_eq!(count(&direct(HbKind::FullMesh, 2, 1)).link_count(), 1);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let refused = |request: HbRequest, begins: &str| {
        let problem = count_domain(&request).expect_err("refused");
        assert!(problem.to_string().starts_with(begins), "{problem}");
    };
    let one = HbRequest::for_switch_chips;
    let direct = |kind, gpus, links| HbRequest { kind, ..one(gpus, links, 0) };
    refused(one(0, 18, 72), "an HB domain needs");
    refused(one(8, 18, 0), "an HB domain needs");
    refused(HbRequest { levels: Some(1), ..one(144, 18, 72) }, "`144` GPUs are more than");
    refused(two(72, 18, 2, 3), "`72` GPUs can't be joined by two levels");
    refused(HbRequest { twin: true, ..one(7, 18, 72) }, "`7` GPUs can't be two halves");
    refused(direct(HbKind::FullMesh, 20, 18), "`20` GPUs joined without chips");
    refused(direct(HbKind::Mesh2d, 8, 18), "`8` GPUs form no square");
    refused(direct(HbKind::Torus, 14, 6), "`14` GPUs form no grid");
    refused(HbRequest { hops: 4, ..direct(HbKind::Ring, 8, 18) }, "a ring of `8` GPUs");
}
