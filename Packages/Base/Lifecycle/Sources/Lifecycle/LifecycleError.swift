/// A list of modules that no host can be made of.
public enum LifecycleError: Error, Hashable, CustomStringConvertible {
    /// Two modules have the same name.
    case duplicate(module: String)

    /// Modules that each come after the next, the first one again at the end.
    case cycle([String])

    /// What is wrong, why, and how to mend it.
    public var description: String {
        switch self {
        case .duplicate(let module):
            """
            two modules are named \(module). Modules are told apart by name, in `after` and in reports. Take \
            one out of the list, or give it another name.
            """
        case .cycle(let names):
            """
            modules come after each other in a circle: \(names.joined(separator: " -> ")) (each after the \
            next). No order can satisfy that. Take one of these names out of its module's `after`.
            """
        }
    }
}
