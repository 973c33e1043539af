import ApiCenter

/// Rejects, at compile time, a module member that has the name of a requirement but another type.
///
/// Such a member satisfies no requirement of ``Module``, so the requirement's default would apply instead: `let
/// after: Set = ["Logger"]` would have no effect. This protocol requires members with the same names and any types. Its
/// last requirement is met only if all these members have the types that ``Module`` declares.
public protocol ModuleSpelling {
    associatedtype NameProperty
    associatedtype AfterProperty
    associatedtype HandledEvent

    /// See ``Module/name``.
    var name: NameProperty { get }
    /// See ``Module/after``.
    var after: AfterProperty { get }
    /// See ``Module/handle(_:in:)``.
    func handle(_ event: HandledEvent, in center: ApiCenter) async throws

    /// Available only if all members have the types that ``Module`` declares.
    static var allMembersHaveTheirTypes: Void { get }
}

extension ModuleSpelling
where NameProperty == String, AfterProperty == [String], HandledEvent == LifecycleEvent {
    /// All members have the types that ``Module`` declares.
    public static var allMembersHaveTheirTypes: Void { () }
}
