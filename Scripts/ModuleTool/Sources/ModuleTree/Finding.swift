/// A place where the tree breaks a rule.
///
/// It says where, what is wrong, why the rule exists and how to mend it, so that nobody has to look
/// elsewhere.
public struct Finding: Sendable, Hashable {
    /// Another place that belongs to the finding: a second registration, the next step of a cycle.
    public struct Note: Sendable, Hashable {
        public let place: SourcePlace
        public let text: String

        public init(_ place: SourcePlace, _ text: String) {
            (self.place, self.text) = (place, text)
        }
    }

    /// The rule's identifier, as `modules explain` knows it.
    public let rule: String
    public let place: SourcePlace

    /// What is wrong, in one line.
    public let what: String

    /// Why the rule exists, from the source document that made it.
    public let why: String

    /// The exact edit or command that mends it.
    public let mend: String
    public let notes: [Note]

    public init(
        rule: String, place: SourcePlace, what: String, why: String, mend: String, notes: [Note] = []
    ) {
        (self.rule, self.place, self.what) = (rule, place, what)
        (self.why, self.mend, self.notes) = (why, mend, notes)
    }
}

extension Finding: Comparable {
    public static func < (left: Finding, right: Finding) -> Bool {
        (left.place, left.rule, left.what) < (right.place, right.rule, right.what)
    }
}
