/// The strongly connected components of a graph that have two or more members.
///
/// Uses Tarjan's algorithm without recursion, so that a long dependency chain cannot overflow the stack.
struct StrongComponents {
    private(set) var components: [[Int]] = []

    /// Complexity: O(*nodes* + *edges*).
    init(_ next: [[Int]]) {
        var number = Array(repeating: -1, count: next.count)
        var low = Array(repeating: 0, count: next.count)
        var isOpen = Array(repeating: false, count: next.count)
        var open: [Int] = []
        var count = 0
        for root in next.indices where number[root] < 0 {
            var work = [(node: root, step: 0)]
            while let (node, step) = work.popLast() {
                if step == 0 {
                    number[node] = count
                    low[node] = count
                    count += 1
                    open.append(node)
                    isOpen[node] = true
                } else {
                    low[node] = min(low[node], low[next[node][step - 1]])
                }
                var current = step
                var descends = false
                while current < next[node].count {
                    let other = next[node][current]
                    current += 1
                    if number[other] < 0 {
                        work.append((node, current))
                        work.append((other, 0))
                        descends = true
                        break
                    } else if isOpen[other] {
                        low[node] = min(low[node], number[other])
                    }
                }
                if descends { continue }
                if low[node] == number[node] {
                    var component: [Int] = []
                    while let member = open.popLast() {
                        isOpen[member] = false
                        component.append(member)
                        if member == node { break }
                    }
                    if component.count > 1 { components.append(component) }
                }
            }
        }
    }
}
