import Synchronization

/// The preparation of a host's modules, or the delivery of one event. The work marks its tasks, so that the host
/// recognises events that a module sends from such a task.
///
/// Tasks that a module starts inherit the mark and may outlive the work, so the mark records whether the work has ended.
final class HostWork: Sendable {
    enum Kind {
        case preparation, delivery
    }

    /// The work, of any host, that the current task is part of. Some of it may have ended.
    @TaskLocal static var current: [HostWork] = []

    private let kind: Kind
    private let host: ObjectIdentifier
    private let isOver = Atomic(false)

    private init(_ kind: Kind, of host: ModuleHost) {
        (self.kind, self.host) = (kind, ObjectIdentifier(host))
    }

    /// Runs `operation` as work of `host`, nested in the current task's unfinished work. (Finished work is dropped.
    /// Otherwise it would accumulate in an endless chain of events in which a task from each delivery sends the next
    /// event.)
    static func run<Result>(_ kind: Kind, of host: ModuleHost, operation: () async -> Result) async -> Result
    {
        let work = HostWork(kind, of: host)
        defer { work.isOver.store(true, ordering: .releasing) }
        return await $current.withValue(current.filter(\.isUnderWay) + [work], operation: operation)
    }

    /// The kind of the unfinished work of `host` that the current task is part of; nil if there is none.
    static func underWay(of host: ModuleHost) -> Kind? {
        current.last { $0.host == ObjectIdentifier(host) && $0.isUnderWay }?.kind
    }

    private var isUnderWay: Bool { !isOver.load(ordering: .acquiring) }
}
