import ModuleKit

/// A dependency between two packages or two targets, which are given by their indices in a list.
package struct DependencyEdge: Sendable {
    package let from: Int
    package let to: Int

    /// Whether test targets of a package have this dependency. A dependency of its other targets is a separate edge.
    package let isTest: Bool

    /// The places in the manifest that declare the dependency. If a dependency has no position of its
    /// own, this is the place of its target.
    package private(set) var declarations: [SourcePlace] = []

    /// The places in source files that import the other end.
    package private(set) var imports: [SourcePlace] = []

    init(from: Int, to: Int, isTest: Bool = false) { (self.from, self.to, self.isTest) = (from, to, isTest) }

    /// The declarations, followed by the imports.
    package var places: [SourcePlace] { declarations + imports }

    /// The first declaration, or the first import if no manifest declares the dependency.
    package var place: SourcePlace { places.first ?? SourcePlace(path: "") }

    mutating func add(declarations: [SourcePlace] = [], imports: [SourcePlace] = []) {
        for place in declarations where !self.declarations.contains(place) { self.declarations.append(place) }
        self.imports += imports
    }
}

extension [DependencyEdge] {
    /// The edges with each index at one end.
    func grouped(by end: KeyPath<DependencyEdge, Int>, count: Int) -> [[DependencyEdge]] {
        reduce(into: Array<[DependencyEdge]>(repeating: [], count: count)) { $0[$1[keyPath: end]].append($1) }
    }
}

extension [[DependencyEdge]] {
    /// The edges of a shortest path between two sets of elements, given the edges of each element; nil if there is no
    /// path. A path has at least one edge.
    package func shortestPath(from start: Set<Int>, to end: Set<Int>) -> [DependencyEdge]? {
        var reached: [Int: DependencyEdge] = [:]
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
