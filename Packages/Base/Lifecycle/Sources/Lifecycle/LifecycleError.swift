/// The error that a host throws when its list of modules is invalid.
public enum LifecycleError: Error, Hashable, CustomStringConvertible {
    /// Two modules have the same name.
    case duplicate(module: String)

    /// The modules' `after` lists form a cycle. Each module in the array must come after the next one, and
    /// the last name repeats the first.
    case cycle([String])

    /// What is wrong, why, and how to fix it.
    public var description: String {
        switch self {
        case .duplicate(let module):
            """
            two modules are named \(module). The name identifies a module in `after` and in reports, so it must \
            be unique. Remove one of the two modules from the list, or rename it.
            """
        case .cycle(let names):
            """
            the `after` lists of modules form a cycle: \(names.joined(separator: " -> ")). Each of these modules \
            must come after the next one, which no order can satisfy. Remove the next module from the `after` \
            list of one of these modules.
            """
        }
    }
}
