/// Compares an Api's surface with an earlier one, under every combination of `#if` conditions.
struct SurfaceComparison {
    let old: ApiSurface
    let new: ApiSurface
    /// The new surface of the Api that the compared fakes import; nil for other modules.
    private let api: ApiSurface?
    private(set) var changes = ApiSurface.Changes()
    /// The new functions, by their paths without labels.
    private let functions: [String: [ApiSurface.Declaration]]

    typealias Declaration = ApiSurface.Declaration

    init(of old: ApiSurface, with new: ApiSurface, importing api: ApiSurface? = nil) {
        let (old, new) = old.decided(with: new)
        self.api = api
        (self.old, self.new) = (old.renamed(in: new), new)
        functions = Dictionary(grouping: new.declarations.values.joined(), by: \.base)
        for path in Set(self.old.declarations.keys).union(new.declarations.keys).sorted() { compare(path) }
    }

    /// Adds a change that breaks nobody.
    mutating func add(_ declaration: Declaration) {
        changes.isChanged = true
        if let place = declaration.place.place { changes.additions.append(place) }
    }

    mutating func add(_ what: String, at place: Declaration?, isUnannounced: Bool = false) {
        changes.isChanged = true
        if changes.breaks.contains(where: { $0.what == what }) { return }
        changes.breaks.append(.init(what: what, place: place?.place.place, isUnannounced: isUnannounced))
    }

    private mutating func compare(_ path: String) {
        let (before, after) = (old[path], new[path])
        guard before != after, let any = before.first ?? after.first else { return }
        let parents = any.parent.map { (old[$0], new[$0]) } ?? ([], [])
        let near = before + after + parents.0 + parents.1 + new["extension " + path]
        guard let possibilities = Condition.possibilities(near.map(\.condition)) else {
            return add("\(path) has changed under more #if conditions than can be compared", at: after.first)
        }
        for on in possibilities {
            func active(_ declarations: [Declaration]) -> [Declaration] {
                declarations.filter { $0.condition.holds(on) }
            }
            // A type that is new or removed is reported once, without its members.
            if !(parents.0 + parents.1).isEmpty, active(parents.0).isEmpty || active(parents.1).isEmpty {
                continue
            }
            let (old, now) = (active(before), active(after))
            let lost = old.filter { old in !now.contains { $0.shape == old.shape } }
            let gained = now.filter { now in !old.contains { $0.shape == now.shape } }
            for (old, now) in zip(lost, gained) {
                add("\(path) has changed from `\(old.shape)` to `\(now.shape)`", at: now)
            }
            for declaration in lost.dropFirst(gained.count) { remove(declaration, path, on) }
            for declaration in gained.dropFirst(lost.count) {
                add(declaration)
                if let harm = declaration.harm(to: active(parents.0), hasDefault: hasDefault(declaration, on))
                {
                    add("\(path) is a new \(harm)", at: declaration)
                } else if declaration.hasPayload, let type = declaration.parent, self.old.isHashable(type) {
                    add("\(type) is no longer Hashable, because a case has a payload", at: declaration)
                }
            }
            for old in old {
                for now in now where now.shape == old.shape {
                    compare(old, now, path)
                    if old.names != now.names { compareNames(old, now, on) }
                }
            }
        }
    }

    // MARK: Removed declarations

    /// Reports a declaration that is missing from the new state under some conditions.
    private mutating func remove(_ declaration: Declaration, _ path: String, _ on: Set<String>) {
        let requirement = declaration.path
        let container = declaration.parent.flatMap { new[$0].first }
        if path != requirement, !old[requirement].isEmpty {
            // Without the requirement, callers cannot see the default implementation.
            let kept = requirements(like: declaration, in: new, on).first
            if let kept, !hasDefault(declaration, on) {
                add("\(requirement) has lost its default implementation", at: kept)
            }
            return
        }
        if declaration.isRequirement {
            let isInherited = requirements(like: declaration, in: new, on).contains {
                $0.shape == declaration.shape
            }
            if isInherited { return changes.isChanged = true }
            if !new["extension " + path].isEmpty {
                return add("\(path) is no longer a requirement", at: new["extension " + path].first)
            }
        } else if let kept = inherited(declaration) {
            changes.isChanged = true
            return compare(declaration, kept, path)
        } else if let longer = functions[declaration.base, default: []].first(where: {
            $0.condition.holds(on) && $0.accepts(callsOf: declaration)
        }) {
            return compare(declaration, longer, path)
        }
        let line =
            path + (new[path].isEmpty ? " has been removed" : " has been removed under some #if conditions")
        add(line, at: container, isUnannounced: !isAnnounced(declaration))
    }

    /// The member of a protocol's extension that callers use instead of a type's removed member, because the type conforms
    /// to the protocol. Where callers might find something else, none: an initialiser, a setter (which mutates in an
    /// extension), a name that only the type knows, a declaration under `#if`, an isolated protocol, or two candidates.
    private func inherited(_ member: Declaration) -> Declaration? {
        guard let type = member.parent, member.kind != .initializer, !member.hasSetter,
            member.condition == .always,
            !member.mentions.contains(where: {
                !old["\(type).\($0)"].isEmpty || !new["\(type).\($0)"].isEmpty
            })
        else { return nil }
        let conformances = new.declarations.values.joined().filter {
            // With a condition, the path goes on.
            $0.extended == type && $0.path == "conformance of \(type) to \($0.names.joined())"
        }
        let name = member.path.dropFirst(type.count)
        let found = [new, api].compactMap(\.self).flatMap { surface -> [Declaration] in
            let protocols = Set(conformances.flatMap(\.names).flatMap(surface.protocols))
            let declared = protocols.flatMap { surface[$0] } + conformances
            guard declared.allSatisfy({ $0.condition == .always && ($0.isolation ?? "").isEmpty }) else {
                return []
            }
            return protocols.flatMap { surface["extension " + $0 + name] }
        }
        guard found.count == 1, let kept = found.first, kept.shape == member.shape, kept.condition == .always
        else { return nil }
        return kept
    }

    /// Whether a declaration or a type that encloses the declaration is deprecated.
    private func isAnnounced(_ declaration: Declaration) -> Bool {
        declaration.isDeprecated || declaration.parent.map { old[$0].contains(where: isAnnounced) } ?? false
    }

    // MARK: Changed declarations

    private mutating func compare(_ old: Declaration, _ new: Declaration, _ path: String) {
        for grant in old.grants.subtracting(new.grants).sorted() {
            add("\(path) has lost \(grant)", at: new)
        }
        for (name, value) in old.values.sorted(by: { $0.key < $1.key }) where new.values[name] != value {
            if let now = new.values[name] {
                add("\(path) has changed \(name) from \(value) to \(now)", at: new)
            } else if name == Declaration.value, !new.hasSetter {
                add("\(path) is no longer the constant \(value)", at: new)
            }
        }
        for (name, version) in new.restrictions.sorted(by: { $0.key < $1.key }) {
            if let known = old.restrictions[name], !known.lexicographicallyPrecedes(version) { continue }
            let text = ([name] + [version.map(String.init).joined(separator: ".")]).joined(separator: " ")
            add("\(path) is now restricted: \(text)", at: new)
        }
        if let before = old.encoded, let now = new.encoded { compareEncoded(before, now, of: new) }
        if old.grants != new.grants || old.restrictions != new.restrictions
            || old.isDeprecated != new.isDeprecated
        {
            add(new)
        }
    }
}
