/// The state that a mediator's lock protects.
struct State: Sendable {
    var targets: [String: InstalledTarget] = [:]
    var cached: [String: ActionTable] = [:]
    var guards: [@Sendable (MediatorCall) -> String?] = []
    var notFound: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
}

enum InstalledAction: Sendable {
    case sync(Mediator.Action)
    case async(Mediator.AsyncAction)
}

typealias ActionTable = [String: InstalledAction]

/// An installed target.
///
/// A class, so that `===` detects whether the target was replaced while its table was created.
final class InstalledTarget: Sendable {
    enum Source: Sendable {
        case table(ActionTable)
        case factory(@Sendable () -> ActionTable)
    }

    let name: String
    let source: Source
    let remote: Set<String>
    let site: String

    var isCreatedOnDemand: Bool {
        if case .factory = source { true } else { false }
    }

    init(name: String, source: Source, remote: Set<String>, site: String) {
        self.name = name
        self.source = source
        self.remote = remote
        self.site = site
    }
}

/// The targets of one installation, which are checked before any of them is installed.
struct Offer {
    let site: String
    let remote: [String: Set<String>]
    private(set) var targets: [String: InstalledTarget] = [:]

    init(site: String, remote: [String: Set<String>]) {
        self.site = site
        self.remote = remote
    }

    mutating func add(
        actions: [String: [String: Mediator.Action]], asyncActions: [String: [String: Mediator.AsyncAction]]
    ) throws(MediatorError) {
        var tables = actions.mapValues { $0.mapValues(InstalledAction.sync) }
        for (target, asyncTable) in asyncActions.sorted(by: { $0.key < $1.key }) {
            for (action, closure) in asyncTable.sorted(by: { $0.key < $1.key }) {
                if tables[target]?[action] != nil {
                    throw MediatorError(.duplicateAction, target: target, action: action, detail: site)
                }
                tables[target, default: [:]][action] = .async(closure)
            }
        }
        for (target, table) in tables.sorted(by: { $0.key < $1.key }) {
            if table.keys.contains("") { throw MediatorError(.emptyName, target: target, detail: site) }
            try add(target, .table(table))
        }
    }

    mutating func add(_ factories: [String: @Sendable () -> ActionTable]) throws(MediatorError) {
        for (target, make) in factories.sorted(by: { $0.key < $1.key }) {
            try add(target, .factory(make))
        }
    }

    /// Checks that the targets in `remote` are offered. For targets that are finished tables, also checks the
    /// actions.
    func checkRemoteMarks() throws(MediatorError) {
        for (name, actions) in remote.sorted(by: { $0.key < $1.key }) {
            guard let target = targets[name] else {
                throw MediatorError(.unknownRemoteAction, target: name, detail: site)
            }
            guard case .table(let table) = target.source else { continue }
            if let unknown = actions.sorted().first(where: { table[$0] == nil }) {
                throw MediatorError(.unknownRemoteAction, target: name, action: unknown, detail: site)
            }
        }
    }

    private mutating func add(_ name: String, _ source: InstalledTarget.Source) throws(MediatorError) {
        if name.isEmpty { throw MediatorError(.emptyName, detail: site) }
        if targets[name] != nil { throw .duplicate(target: name, sites: site, site) }
        targets[name] = InstalledTarget(
            name: name, source: source, remote: remote[name] ?? [], site: site)
    }
}
