import SwiftSyntax

/// Reads the arguments of `Package(...)`. Every method gives nil for what is not a literal.
struct HouseReader {
    let lines: LineTable

    func manifest(_ call: FunctionCallExprSyntax) -> Manifest? {
        var manifest: Manifest?
        for argument in call.arguments {
            let value = argument.expression
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

    private func position(_ node: some SyntaxProtocol) -> Position {
        lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    private func text(_ value: ExprSyntax) -> String? {
        value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    private func list<Element>(_ value: ExprSyntax, _ read: (ExprSyntax) -> Element?) -> [Element]? {
        guard let array = value.as(ArrayExprSyntax.self) else { return nil }
        var list: [Element] = []
        for element in array.elements {
            guard let value = read(element.expression) else { return nil }
            list.append(value)
        }
        return list
    }

    /// `.name(label: value, ...)`.
    private func call(_ value: ExprSyntax) -> (
        name: String, arguments: [(label: String?, value: ExprSyntax)]
    )? {
        guard let call = value.as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.base == nil
        else { return nil }
        return (member.declName.baseName.text, call.arguments.map { ($0.label?.text, $0.expression) })
    }

    private enum Trait {
        case named(String)
        case `default`(Set<String>)
    }

    private func trait(_ value: ExprSyntax) -> Trait? {
        if let name = text(value) { return .named(name) }
        guard let (kind, arguments) = call(value), let first = arguments.first else { return nil }
        switch (kind, first.label) {
        case ("trait", "name"):
            // A trait that switches others on is for SwiftPM to resolve.
            guard arguments.allSatisfy({ $0.label == "name" || $0.label == "description" }) else {
                return nil
            }
            return text(first.value).map { .named($0) }
        case ("default", "enabledTraits"): return list(first.value, text).map { .default(Set($0)) }
        default: return nil
        }
    }

    // MARK: Products

    private func product(_ value: ExprSyntax) -> Manifest.Product? {
        guard let (kind, arguments) = call(value), ["library", "executable", "plugin"].contains(kind) else {
            return nil
        }
        var name: String?
        var targets: [String]?
        for (label, value) in arguments {
            switch label {
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

    private func dependency(_ value: ExprSyntax) -> Manifest.Dependency? {
        guard let (kind, arguments) = call(value), kind == "package" else { return nil }
        let at = position(value)
        if let first = arguments.first, first.label == "path", arguments.count == 1 {
            guard let path = text(first.value) else { return nil }
            return .init(identity: PackageIdentity.of(path), path: path, requirement: nil, position: at)
        }
        guard let first = arguments.first, first.label == "url" || first.label == "id", arguments.count == 2,
            let address = text(first.value), let requirement = requirement(arguments[1])
        else { return nil }
        return .init(
            identity: first.label == "id" ? address.lowercased() : PackageIdentity.of(address), path: nil,
            requirement: requirement, position: at)
    }

    private func requirement(_ argument: (label: String?, value: ExprSyntax)) -> Manifest.Requirement? {
        switch argument.label {
        case "from": return text(argument.value).flatMap { upToNext(0, from: $0) }
        case "exact": return text(argument.value).map { .exact($0) }
        case "branch": return text(argument.value).map { .branch($0) }
        case "revision": return text(argument.value).map { .revision($0) }
        case nil: break
        default: return nil
        }
        if let (name, arguments) = call(argument.value), arguments.count == 1, arguments[0].label == "from",
            let version = text(arguments[0].value)
        {
            switch name {
            case "upToNextMajor": return upToNext(0, from: version)
            case "upToNextMinor": return upToNext(1, from: version)
            default: return nil
            }
        }
        guard let sequence = argument.value.as(SequenceExprSyntax.self), sequence.elements.count == 3 else {
            return nil
        }
        let parts = Array(sequence.elements)
        guard let lower = text(parts[0]), let upper = text(parts[2]),
            let range = parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text
        else { return nil }
        switch range {
        case "..<": return .range(lower: lower, upper: upper)
        case "...": return raised(upper, at: 2).map { .range(lower: lower, upper: $0) }
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

    private func target(_ value: ExprSyntax) -> Manifest.Target? {
        let kinds: [String: Manifest.TargetKind] = [
            "target": .regular, "executableTarget": .executable, "testTarget": .test,
        ]
        guard let (kindName, arguments) = call(value), let kind = kinds[kindName] else { return nil }
        var name: String?
        var path: String?
        var exclude: [String] = []
        var sources: [String]?
        var dependencies: [Manifest.TargetDependency] = []
        var position = position(value)
        for (label, value) in arguments {
            switch label {
            case "name":
                name = text(value)
                position = self.position(value)
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
            case "swiftSettings", "cSettings", "cxxSettings", "linkerSettings", "resources",
                "publicHeadersPath", "packageAccess":
                continue
            default: return nil
            }
        }
        guard let name else { return nil }
        return .init(
            name: name, kind: kind, path: path, exclude: exclude, sources: sources,
            dependencies: dependencies,
            position: position)
    }

    private func targetDependency(_ value: ExprSyntax) -> Manifest.TargetDependency? {
        if let name = text(value) {
            return .init(name: name, package: nil, traits: [], position: position(value))
        }
        guard let (kind, arguments) = call(value), ["target", "product", "byName"].contains(kind) else {
            return nil
        }
        var name: String?
        var package: String?
        var traits: Set<String> = []
        for (label, value) in arguments {
            switch label {
            case "name": name = text(value)
            case "package":
                guard let text = text(value) else { return nil }
                package = text
            case "condition":
                guard let names = condition(value) else { return nil }
                traits = names
            default: return nil
            }
        }
        guard let name else { return nil }
        return .init(name: name, package: package, traits: traits, position: position(value))
    }

    /// The traits of `.when(platforms: ..., traits: [...])`.
    private func condition(_ value: ExprSyntax) -> Set<String>? {
        guard let (kind, arguments) = call(value), kind == "when" else { return nil }
        var traits: Set<String> = []
        for (label, value) in arguments where label == "traits" {
            guard let names = list(value, text) else { return nil }
            traits = Set(names)
        }
        return traits
    }
}
