/// Reads the arguments of `Package(...)`. Every method returns nil for a value that it does not understand.
struct HouseReader {
    private let evaluator: ManifestEvaluator

    init(_ evaluator: ManifestEvaluator) { self.evaluator = evaluator }

    func manifest() -> Manifest? {
        var manifest: Manifest?
        for argument in evaluator.program.package ?? [] {
            let value = evaluator.value(of: argument.expression)
            switch argument.label?.text {
            case "name":
                guard let name = text(value) else { return nil }
                manifest = Manifest(name: name)
            case "platforms", "defaultLocalization", "swiftLanguageModes", "swiftLanguageVersions",
                "cLanguageStandard", "cxxLanguageStandard":
                continue
            case "products":
                guard let list = list(value, product) else { return nil }
                manifest?.products = list
            case "dependencies":
                guard let list = list(value, dependency) else { return nil }
                manifest?.dependencies = list
            case "targets":
                guard let list = list(value, target) else { return nil }
                manifest?.targets = list
            case "traits":
                guard let list = list(value, trait) else { return nil }
                for trait in list {
                    switch trait {
                    case .named(let name): manifest?.traits.insert(name)
                    case .default(let names): manifest?.defaultTraits = names
                    }
                }
            default: return nil
            }
        }
        return manifest
    }

    private func text(_ value: ManifestValue) -> String? { value.text?.value }

    private func list<Element>(_ value: ManifestValue, _ read: (ManifestValue) -> Element?) -> [Element]? {
        guard let values = value.list else { return nil }
        var list: [Element] = []
        for value in values {
            guard let element = read(value) else { return nil }
            list.append(element)
        }
        return list
    }

    private enum Trait {
        case named(String)
        case `default`(Set<String>)
    }

    private func trait(_ value: ManifestValue) -> Trait? {
        if let name = text(value) { return .named(name) }
        guard let call = value.call, let first = call.arguments.first else { return nil }
        switch (call.name, first.label) {
        case ("trait", "name"):
            // Only SwiftPM can resolve a trait that enables other traits.
            guard call.arguments.allSatisfy({ $0.label == "name" || $0.label == "description" }) else {
                return nil
            }
            return text(first.value).map { .named($0) }
        case ("default", "enabledTraits"): return list(first.value, text).map { .default(Set($0)) }
        default: return nil
        }
    }

    // MARK: Products

    private func product(_ value: ManifestValue) -> Manifest.Product? {
        guard let call = value.call, ["library", "executable", "plugin"].contains(call.name) else {
            return nil
        }
        var name: String?
        var targets: [String]?
        for argument in call.arguments {
            let value = argument.value
            switch argument.label {
            case "name": name = text(value)
            case "targets": targets = list(value, text)
            case "type": continue
            default: return nil
            }
        }
        guard let name, let targets else { return nil }
        return .init(name: name, targets: targets)
    }

    // MARK: Packages

    private func dependency(_ value: ManifestValue) -> Manifest.Dependency? {
        guard let call = value.call, call.name == "package", let first = call.arguments.first,
            let address = first.value.text
        else { return nil }
        let at = call.position ?? address.origin ?? Position()
        if first.label == "path", call.arguments.count == 1 {
            let identity = PackageIdentity.of(address.value)
            // Only SwiftPM can resolve the name of a parent folder.
            guard identity != "..", identity != "." else { return nil }
            return .init(identity: identity, path: address.value, requirement: nil, position: at)
        }
        guard first.label == "url" || first.label == "id", call.arguments.count == 2,
            let requirement = requirement(call.arguments[1])
        else { return nil }
        return .init(
            identity: first.label == "id"
                ? address.value.lowercased() : PackageIdentity.of(address.value), path: nil,
            requirement: requirement, position: at)
    }

    private func requirement(_ argument: ManifestValue.Argument) -> Manifest.Requirement? {
        switch argument.label {
        case "from": return text(argument.value).flatMap { upToNext(0, from: $0) }
        case "exact": return text(argument.value).map { .exact($0) }
        case "branch": return text(argument.value).map { .branch($0) }
        case "revision": return text(argument.value).map { .revision($0) }
        case nil: break
        default: return nil
        }
        guard let call = argument.value.call, let first = call.arguments.first else { return nil }
        let versions = call.arguments.map { text($0.value) }
        switch (call.name, first.label, versions.count) {
        case ("upToNextMajor", "from", 1): return versions[0].flatMap { upToNext(0, from: $0) }
        case ("upToNextMinor", "from", 1): return versions[0].flatMap { upToNext(1, from: $0) }
        case ("..<", nil, 2), ("...", nil, 2):
            guard let lower = versions[0], let upper = versions[1] else { return nil }
            if call.name == "..<" { return .range(lower: lower, upper: upper) }
            return raised(upper, at: 2).map { .range(lower: lower, upper: $0) }
        default: return nil
        }
    }

    private func upToNext(_ part: Int, from version: String) -> Manifest.Requirement? {
        raised(version, at: part).map { .range(lower: version, upper: $0) }
    }

    private func raised(_ version: String, at part: Int) -> String? {
        var numbers = version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        numbers[part] += 1
        for index in (part + 1)..<max(3, part + 1) { numbers[index] = 0 }
        return numbers.map(String.init).joined(separator: ".")
    }

    // MARK: Targets

    private func target(_ value: ManifestValue) -> Manifest.Target? {
        let kinds: [String: Manifest.TargetKind] = [
            "target": .regular, "executableTarget": .executable, "testTarget": .test,
        ]
        guard let call = value.call, let kind = kinds[call.name] else { return nil }
        var name: ManifestValue.Text?
        var path: String?
        var exclude: [String] = []
        var sources: [String]?
        var dependencies: [Manifest.TargetDependency] = []
        for argument in call.arguments {
            let value = argument.value
            switch argument.label {
            case "name": name = value.text
            case "path":
                guard let folder = text(value) else { return nil }
                path = folder
            case "exclude":
                guard let list = list(value, text) else { return nil }
                exclude = list
            case "sources":
                guard let list = list(value, text) else { return nil }
                sources = list
            case "dependencies":
                guard let list = list(value, targetDependency) else { return nil }
                dependencies = list
            case "resources":
                guard let list = list(value, resource) else { return nil }
                // Resources that are copied are not compiled.
                exclude += list.compactMap(\.self)
            case "swiftSettings", "cSettings", "cxxSettings", "linkerSettings", "publicHeadersPath",
                "packageAccess":
                continue
            default: return nil
            }
        }
        guard let name else { return nil }
        return .init(
            name: name.value, kind: kind, path: path, exclude: exclude, sources: sources,
            dependencies: dependencies, position: name.origin ?? call.position ?? Position())
    }

    /// The path of a copied resource; `.some(nil)` for a processed resource; nil if the value is not
    /// understood.
    private func resource(_ value: ManifestValue) -> String?? {
        guard let call = value.call, let path = call.arguments.first.flatMap({ text($0.value) }) else {
            return nil
        }
        switch call.name {
        case "copy": return path
        case "process", "embedInCode": return .some(nil)
        default: return nil
        }
    }

    private func targetDependency(_ value: ManifestValue) -> Manifest.TargetDependency? {
        // A computed name has no position, because editing its expression may change other dependencies.
        func place(_ name: ManifestValue.Text) -> Position? { name.isLiteral ? name.origin : nil }
        if let name = value.text {
            return .init(name: name.value, package: nil, traits: [], position: place(name))
        }
        guard let call = value.call, ["target", "product", "byName"].contains(call.name) else { return nil }
        var name: ManifestValue.Text?
        var package: String?
        var traits: Set<String> = []
        for argument in call.arguments {
            let value = argument.value
            switch argument.label {
            case "name": name = value.text
            case "package":
                guard let text = text(value) else { return nil }
                package = text
            case "condition":
                if case .none = value { continue }
                guard let names = condition(value) else { return nil }
                traits = names
            default: return nil
            }
        }
        guard let name else { return nil }
        return .init(
            name: name.value, package: package, traits: traits, position: call.position ?? place(name))
    }

    /// The traits of `.when(platforms: ..., traits: [...])`.
    private func condition(_ value: ManifestValue) -> Set<String>? {
        guard let call = value.call, call.name == "when" else { return nil }
        var traits: Set<String> = []
        for argument in call.arguments where argument.label == "traits" {
            guard let names = list(argument.value, text) else { return nil }
            traits = Set(names)
        }
        return traits
    }
}
