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
