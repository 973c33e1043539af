/// What a mediator's lock protects.
///
/// Nothing in here calls code of the app.
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

/// A target as installed.
///
/// Its identity tells whether it is still the same after a table was made.
final class InstalledTarget: Sendable {
    enum Source: Sendable {
        case table(ActionTable)
        case made(@Sendable () -> ActionTable)
    }

    let name: String
    let source: Source
    let remote: Set<String>
    let site: String

    var isMade: Bool {
        if case .made = source { true } else { false }
    }

    init(name: String, source: Source, remote: Set<String>, site: String) {
        self.name = name
        self.source = source
        self.remote = remote
        self.site = site
    }
}

/// What one installation brings, checked before anything is installed.
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

    mutating func add(_ makers: [String: @Sendable () -> ActionTable]) throws(MediatorError) {
        for (target, make) in makers.sorted(by: { $0.key < $1.key }) {
            try add(target, .made(make))
        }
    }

    /// Every remote mark names a target of this offer and, where its table is known, an action of it.
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
