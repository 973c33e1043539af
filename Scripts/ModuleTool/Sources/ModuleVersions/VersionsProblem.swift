package struct VersionsProblem: Hashable, Sendable {
    package let line: Int
    package let what: String
    package let why: String
    package let fix: String
    /// Whether sorting the rows fixes the problem.
    package var isOrder = false
}
