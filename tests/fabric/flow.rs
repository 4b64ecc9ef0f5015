//! The most that flows between two sets of nodes of an undirected network, by Dinic's algorithm
//! (Soviet Math. Doklady 11, 1970). Written from the problem: it knows no fabric.

use std::collections::VecDeque;

/// A network of nodes 0 to n − 1, a source and a sink.
pub(crate) struct Network {
    /// Edges as (to, room); the reverse of edge e is e ^ 1.
    edges: Vec<(usize, u64)>,
    /// Edges of each node.
    from: Vec<Vec<usize>>,
}

/// More than any link has.
const ENDLESS: u64 = u64::MAX / 4;

impl Network {
    /// A network without edges.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), from: vec![Vec::new(); nodes + 2] }
    }

    /// Joins two nodes by so many links, each of which carries one unit either way at once.
    pub(crate) fn join(&mut self, a: usize, b: usize, links: u64) {
        self.edge(a, b, links, links);
    }

    /// The most units from one set of nodes to the other, where each node of either sends or takes
    /// `each`.
    pub(crate) fn flow(mut self, from: &[usize], to: &[usize], each: u64) -> u64 {
        let [source, sink] = [self.from.len() - 2, self.from.len() - 1];
        from.iter().for_each(|node| self.edge(source, *node, each, 0));
        to.iter().for_each(|node| self.edge(*node, sink, each, 0));
        let mut flow = 0;
        while let Some(levels) = self.levels(source, sink) {
            let mut next = vec![0; self.from.len()];
            loop {
                let pushed = self.push(source, sink, ENDLESS, &levels, &mut next);
                if pushed == 0 {
                    break;
                }
                flow += pushed;
            }
        }
        flow
    }

    fn edge(&mut self, a: usize, b: usize, there: u64, back: u64) {
        self.from[a].push(self.edges.len());
        self.edges.push((b, there));
        self.from[b].push(self.edges.len());
        self.edges.push((a, back));
    }

    /// Hops from the source over edges with room; `None` where none lead to the sink.
    fn levels(&self, source: usize, sink: usize) -> Option<Vec<usize>> {
        let mut levels = vec![usize::MAX; self.from.len()];
        levels[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.from[node] {
                let (to, room) = self.edges[*edge];
                if room > 0 && levels[to] == usize::MAX {
                    levels[to] = levels[node] + 1;
                    queue.push_back(to);
                }
            }
        }
        (levels[sink] != usize::MAX).then_some(levels)
    }

    /// Pushes up to `most` units from a node to the sink, level by level.
    fn push(
        &mut self,
        node: usize,
        sink: usize,
        most: u64,
        levels: &[usize],
        next: &mut [usize],
    ) -> u64 {
        if node == sink {
            return most;
        }
        while next[node] < self.from[node].len() {
            let edge = self.from[node][next[node]];
            let (to, room) = self.edges[edge];
            if room > 0 && levels[to] == levels[node] + 1 {
                let pushed = self.push(to, sink, most.min(room), levels, next);
                if pushed > 0 {
                    self.edges[edge].1 -= pushed;
                    self.edges[edge ^ 1].1 += pushed;
                    return pushed;
                }
            }
            next[node] += 1;
        }
        0
    }
}
