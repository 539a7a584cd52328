//! The strongly connected parts of a graph: Tarjan's algorithm, without recursion, since
//! a chain of owners may be thousands long.

/// The parts of a graph, each after all parts that it leads to.
#[derive(Debug, Default)]
pub struct Parts {
    nodes: Vec<usize>,
    /// The end of each part in `nodes`.
    ends: Vec<usize>,
}

impl Parts {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The nodes of each part, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.nodes[begin..*end])
    }
}

/// The parts of a graph whose nodes reach each other; each comes after all parts that it leads to. `edges`
/// are the targets of each node.
#[must_use]
pub fn parts(edges: &[Vec<usize>]) -> Parts {
    let mut search = Search {
        edges,
        order: vec![None; edges.len()],
        low: vec![0; edges.len()],
        on_stack: vec![false; edges.len()],
        stack: Vec::new(),
        parts: Parts::default(),
        next: 0,
    };
    for node in 0..edges.len() {
        if search.order[node].is_none() {
            search.from(node);
        }
    }
    search.parts
}

struct Search<'a> {
    edges: &'a [Vec<usize>],
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    parts: Parts,
    next: usize,
}

impl Search<'_> {
    fn from(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = self.edges[node].get(*edge) {
                *edge += 1;
                match self.order[to] {
                    None => {
                        self.enter(to);
                        path.push((to, 0));
                    }
                    Some(order) if self.on_stack[to] => self.low[node] = self.low[node].min(order),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            self.leave(node);
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn leave(&mut self, node: usize) {
        if Some(self.low[node]) != self.order[node] {
            return;
        }
        let begin = self.parts.nodes.len();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            self.parts.nodes.push(member);
            if member == node {
                break;
            }
        }
        self.parts.nodes[begin..].sort_unstable();
        self.parts.ends.push(self.parts.nodes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_nodes_form_one_part_after_their_successors() {
        let parts = |edges: &[Vec<usize>]| parts(edges).iter().map(<[usize]>::to_vec).collect::<Vec<_>>();
        assert_eq!(parts(&[vec![1], vec![2], vec![]]), [vec![2], vec![1], vec![0]]);
        assert_eq!(parts(&[vec![1], vec![2], vec![1, 3], vec![]]), [vec![3], vec![1, 2], vec![0]]);
        assert_eq!(parts(&[vec![1], vec![0], vec![3], vec![2, 0]]), [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let length = 200_000;
        let mut chain: Vec<Vec<usize>> = (0..length).map(|node| vec![node + 1]).collect();
        chain.push(vec![0]);
        assert_eq!(parts(&chain).iter().map(<[usize]>::len).collect::<Vec<_>>(), [length + 1]);
    }
}
