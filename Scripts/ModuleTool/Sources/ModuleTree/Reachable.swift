/// All elements that can be reached from the given ones: first the given elements, then the others, nearest first.
package func reachable<Element: Hashable>(
    from start: [Element], _ next: (Element) -> [Element]
) -> [Element] {
    var (reached, seen, head) = (start, Set(start), 0)
    while head < reached.count {
        reached += next(reached[head]).filter { seen.insert($0).inserted }
        head += 1
    }
    return reached
}

/// A dependency between two elements of a list.
package protocol GraphEdge {
    var from: Int { get }
    var to: Int { get }
}

extension Array {
    /// The edges of a shortest path between two sets of elements, given the edges of each element; nil if there is no
    /// path. A path has at least one edge.
    package func shortestPath<Edge: GraphEdge>(
        from start: Set<Int>, to end: Set<Int>
    ) -> [Edge]? where Element == [Edge] {
        var reached: [Int: Edge] = [:]
        var (queue, head) = (start.sorted(), 0)
        while head < queue.count {
            for edge in self[queue[head]] where reached[edge.to] == nil {
                reached[edge.to] = edge
                queue.append(edge.to)
                guard end.contains(edge.to) else { continue }
                var path = [edge]
                while !start.contains(path[0].from), let before = reached[path[0].from] {
                    path.insert(before, at: 0)
                }
                return path
            }
            head += 1
        }
        return nil
    }
}
