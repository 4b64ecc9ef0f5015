//! Published fabrics, counted again: NVIDIA's reference architectures, ATOP, HPN, DeepSeek-V3,
//! Fire-Flyer. The rows with their sources are in `data/published_fabrics.toml`.

use planner::fabric::{
    Counts, Dragonfly, FabricKind, Groups, LinkClass, Medium, Request, Split, SwitchChoice,
    TierName, tree_counts,
};
use planner::units::Bandwidth;
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    fabric: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    source: String,
    #[serde(default)]
    note: String,
    confidence: String,
    kind: String,
    endpoints: u64,
    rails: u32,
    planes: u32,
    radix: u32,
    link_gbps: f64,
    #[serde(default)]
    extra_ports: u64,
    #[serde(default = "one")]
    ports_per_uplink: u32,
    #[serde(default)]
    spine_reserve: u32,
    tiers: Option<u32>,
    down: Option<u32>,
    up: Option<u32>,
    #[serde(default)]
    full_groups: bool,
    /// Links of one printed cable: twin cables carry two.
    #[serde(default = "one")]
    links_per_cable: u32,
    /// False where the published fabric has more switches than its ports need.
    #[serde(default = "yes")]
    minimal: bool,
    leafs: Option<u64>,
    spines: Option<u64>,
    cores: Option<u64>,
    host_links: Option<u64>,
    leaf_spine_links: Option<u64>,
    spine_core_links: Option<u64>,
    switch_links: Option<u64>,
    copper: Option<u64>,
    fibre: Option<u64>,
    transceivers: Option<u64>,
}

const fn one() -> u32 {
    1
}

const fn yes() -> bool {
    true
}

impl Row {
    fn counts(&self) -> Counts {
        let link = Bandwidth::from_gigabits(self.link_gbps);
        let kind = FabricKind::parse(&self.kind).expect("rows name known kinds");
        if kind == FabricKind::Dragonfly {
            let groups = if self.full_groups { Groups::Full } else { Groups::Fewest };
            let (endpoints, radix) = (self.endpoints, self.radix);
            let host_medium = Medium::Copper;
            let dragonfly = Dragonfly { endpoints, radix, groups, link, host_medium };
            return dragonfly.closed_form_counts().expect("published fabrics exist");
        }
        let choice = SwitchChoice::Radix(self.radix);
        let mut request = Request::new(kind, self.endpoints, self.rails, choice, link);
        request.planes = self.planes;
        request.extra_ports = self.extra_ports;
        request.ports_per_uplink = self.ports_per_uplink;
        request.spine_reserve = self.spine_reserve;
        request.tiers = self.tiers;
        if let (Some(down), Some(up)) = (self.down, self.up) {
            request.split = Split::Fixed { down, up };
        }
        tree_counts(&request).expect("published fabrics exist")
    }

    /// The published counts beside ours.
    fn compared(&self, counts: &Counts) -> Vec<(&'static str, Option<u64>, u64)> {
        let other = |class| {
            let groups = counts.other_links.iter().filter(|group| group.class == class);
            groups.map(|group| group.count).sum::<u64>()
        };
        let between = other(LinkClass::Local) + other(LinkClass::Global);
        let cables = u64::from(self.links_per_cable);
        // ATOP cables all the ports of a dragonfly that endpoints could take.
        let free = match counts.kind {
            FabricKind::Dragonfly => {
                counts.switch_count() * u64::from(counts.tiers[0].down) - counts.endpoints
            }
            _ => 0,
        };
        vec![
            ("leafs", self.leafs, counts.switches_in_tier(TierName::Leaf)),
            ("spines", self.spines, counts.switches_in_tier(TierName::Spine)),
            ("cores", self.cores, counts.switches_in_tier(TierName::Core)),
            ("host links", self.host_links, counts.host_links / cables),
            ("leaf-spine links", self.leaf_spine_links, counts.leaf_spine_links / cables),
            ("spine-core links", self.spine_core_links, counts.spine_core_links / cables),
            ("links between switches", self.switch_links, between),
            ("copper", self.copper, counts.copper_links() + free),
            ("fibre", self.fibre, counts.link_count() - counts.copper_links()),
            ("transceivers", self.transceivers, counts.transceiver_count()),
        ]
    }
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/published_fabrics.toml");
    toml::from_str::<Table>(text).expect("the table of published fabrics is valid").fabric
}

#[test]
fn published_fabrics_are_reproduced_to_the_last_switch_and_link() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for row in rows().iter().filter(|row| row.minimal) {
        for (what, published, counted) in row.compared(&row.counts()) {
            compared += usize::from(published.is_some());
            if published.is_some_and(|published| published != counted) {
                let Row { name, source, note, confidence, .. } = row;
                wrong.push(format!(
                    "{name}: {what}: published {published:?}, counted {counted} ({source}; \
                     {confidence}; {note})"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 150, "only {compared} published counts were compared");
}

/// These rows have other switches than the rules of ports, striping and full bisection ask for.
#[test]
fn published_fabrics_that_follow_other_rules_have_other_switches() {
    let rows = rows();
    let spare: Vec<(&str, u64, u64)> = rows
        .iter()
        .filter(|row| !row.minimal)
        .map(|row| {
            let published = [row.leafs, row.spines, row.cores].into_iter().flatten().sum();
            (row.name.as_str(), published, row.counts().switch_count())
        })
        .collect();
    // Fire-Flyer quotes 10,000 ports of 40-port switches with 320 cores: 250 have the ports, but
    // 25 pods have equal links to each core only where that is one to each of 400. The GB200
    // SuperPOD places one leaf per rack and rail.
    assert_eq!(spare, [("dgx_a100_10000", 1320, 1400), ("gb200_superpod_1su", 56, 36)]);
}
