import ModuleBytes
import ModuleFacts
import ModuleKit
import SwiftSyntax

/// Evaluates a manifest that consists of PackageDescription calls with literals, without running SwiftPM.
struct LiteralManifest {
    /// Thrown for a value that only SwiftPM can compute.
    struct Computed: Error {}

    /// The absolute path of the package.
    let folder: String
    private let lines: LineTable
    /// The values of the constants declared before the package.
    var constants: [String: ExprSyntax] = [:]

    init(folder: String, lines: LineTable) { (self.folder, self.lines) = (folder, lines) }

    /// The package of a manifest; nil if the manifest computes a part that the rules need.
    static func read(
        _ file: SourceFileSyntax, _ bytes: [UInt8], _ lines: LineTable, in folder: String
    ) -> Manifest? {
        // Only SwiftPM can tell which targets have the compiler flags that give modules other names.
        guard !file.hasError, DumpedManifest.renamingFlags.allSatisfy({ bytes.place(of: $0) == nil })
        else { return nil }
        var reader = LiteralManifest(folder: folder, lines: lines)
        return try? reader.value(
            of: file.statements,
            package: { reader, value throws(Computed) in try reader.package(value) },
            change: { reader, statement, manifest throws(Computed) in
                if !Self.isSettingsLoop(statement) { try reader.append(statement, to: &manifest) }
            })
    }

    /// Reads the constants, the package, and the statements after it, which can change it.
    mutating func value<Value>(
        of statements: CodeBlockItemListSyntax, package: (Self, ExprSyntax) throws(Computed) -> Value,
        change: (Self, CodeBlockItemSyntax.Item, inout Value) throws(Computed) -> Void
    ) throws(Computed) -> Value {
        var result: Value?
        for statement in statements.map(\.item) where !statement.is(ImportDeclSyntax.self) {
            if var changed = result {
                try change(self, statement, &changed)
                result = changed
                continue
            }
            guard let variable = statement.as(VariableDeclSyntax.self), variable.bindings.count == 1,
                let binding = variable.bindings.first, let value = binding.initializer?.value
            else { throw Computed() }
            let name = binding.pattern.trimmedDescription
            if name == "package" { result = try package(self, value) }
            if variable.bindingSpecifier.text == "let" { constants[name] = value }
        }
        guard let result else { throw Computed() }
        return result
    }

    /// Whether a statement is a loop over the targets that only sets their `swiftSettings`.
    static func isSettingsLoop(_ item: CodeBlockItemSyntax.Item) -> Bool {
        guard let loop = item.as(ForStmtSyntax.self), loop.sequence.trimmedDescription == "package.targets"
        else { return false }
        return loop.body.statements.allSatisfy { statement in
            let elements = statement.item.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
            return elements.count >= 3 && elements[0].trimmedDescription == "target.swiftSettings"
                && ["=", "+="].contains(elements[1].trimmedDescription)
        }
    }

    /// Reads a statement such as `package.targets.append(.target(name: "A"))`.
    private func append(_ item: CodeBlockItemSyntax.Item, to manifest: inout Manifest) throws(Computed) {
        guard let call = item.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            let argument = call.arguments.first, argument.label == nil
        else { throw Computed() }
        let value = argument.expression
        switch call.calledExpression.trimmedDescription {
        case "package.products.append": manifest.products.append(try product(value))
        case "package.dependencies.append": manifest.dependencies.append(try dependency(value))
        case "package.targets.append": manifest.targets.append(try target(value))
        default: throw Computed()
        }
    }

    private func package(_ value: ExprSyntax) throws(Computed) -> Manifest {
        let call = try call(value, named: ["Package", "init"])
        var manifest = Manifest(name: try text(call["name"]))
        manifest.products = try list(call["products"], product)
        manifest.dependencies = try list(call["dependencies"], dependency)
        manifest.targets = try list(call["targets"], target)
        for trait in try list(call["traits"], trait) {
            if let enabled = trait.enabled { manifest.defaultTraits = enabled }
            if let name = trait.name { manifest.traits.insert(name) }
        }
        return manifest
    }

    private func trait(_ value: ExprSyntax) throws(Computed) -> (name: String?, enabled: Set<String>?) {
        if let name = try? text(value) { return (name, nil) }
        let call = try call(value, named: ["trait", "default", "Trait", "init"])
        if call.name == "default" { return (nil, Set(try texts(call["enabledTraits"]))) }
        return (try text(call["name"]), nil)
    }

    private func product(_ value: ExprSyntax) throws(Computed) -> Manifest.Product {
        let call = try call(value, named: ["library", "executable", "plugin"])
        let type = call["type"].map(resolved)?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        guard type != nil || call["type"] == nil else { throw Computed() }
        return .init(
            name: try text(call["name"]), targets: try texts(call["targets"]), isDynamic: type == "dynamic")
    }

    // MARK: Packages

    private func dependency(_ value: ExprSyntax) throws(Computed) -> Manifest.Dependency {
        let call = try call(value, named: ["package"])
        let alias = try call["name"].map(text)
        if let path = call["path"] {
            let path = try text(path)
            // Only SwiftPM knows the home folder.
            guard !path.hasPrefix("~") else { throw Computed() }
            return .init(
                name: PackageIdentity.name(PathText.join(folder, path)), alias: alias, path: path,
                pin: nil, position: lines.position(call), hasTraits: call["traits"] != nil)
        }
        let id = call["id"]
        let address = try text(id ?? call["url"])
        return .init(
            name: id == nil ? PackageIdentity.name(address) : address, alias: alias, path: nil,
            pin: try pin(call), position: lines.position(call),
            hasTraits: call["traits"] != nil)
    }

    /// The pin in a requirement such as `from: "1.0.0"`. SwiftPM reads manifests with others, such as ranges.
    private func pin(_ call: FunctionCallExprSyntax) throws(Computed) -> String? {
        for kind in ["exact", "branch", "revision"] {
            if let value = call[kind] { return "\(kind): \"\(try text(value))\"" }
        }
        guard Manifest.numbers(try text(call["from"])).count == 3 else { throw Computed() }
        return nil
    }

    // MARK: Targets

    /// The functions that declare targets.
    static let kinds: [String: Manifest.TargetKind] = [
        "target": .regular, "executableTarget": .executable, "testTarget": .test, "plugin": .plugin,
        "macro": .macro, "systemLibrary": .system, "binaryTarget": .binary,
    ]

    private func target(_ value: ExprSyntax) throws(Computed) -> Manifest.Target {
        let call = try call(value, named: Set(Self.kinds.keys))
        guard let kind = Self.kinds[call.name ?? ""], let name = call["name"] else { throw Computed() }
        // Copied resources are not compiled.
        let copied = try list(call["resources"], copiedResource).compactMap(\.self)
        return .init(
            name: try text(name), kind: kind, path: try call["path"].map(text),
            exclude: try texts(call["exclude"]) + copied, sources: try call["sources"].map(texts),
            dependencies: try list(call["plugins"], pluginUsage)
                + list(call["dependencies"], targetDependency),
            position: lines.position(resolved(name)))
    }

    private func copiedResource(_ value: ExprSyntax) throws(Computed) -> String? {
        let call = try call(value, named: ["copy", "process", "embedInCode"])
        return call.name == "copy" ? try text(call.arguments.first?.expression) : nil
    }

    private func pluginUsage(_ value: ExprSyntax) throws(Computed) -> Manifest.TargetDependency {
        var usage = try targetDependency(value)
        usage.isPlugin = true
        return usage
    }

    private func targetDependency(_ value: ExprSyntax) throws(Computed) -> Manifest.TargetDependency {
        if let name = try? text(value) {
            return .init(name: name, package: nil, traits: [], position: lines.position(value))
        }
        let call = try call(value, named: ["target", "product", "byName", "plugin"])
        let condition = try call["condition"].map { value throws(Computed) in
            try self.call(value, named: ["when"])
        }
        return .init(
            name: try text(call["name"]), package: try call["package"].map(text),
            traits: Set(try texts(condition?["traits"])),
            platforms: Set(try list(condition?["platforms"], platform)), position: lines.position(call),
            renamesModules: call["moduleAliases"] != nil)
    }

    func platform(_ value: ExprSyntax) throws(Computed) -> String {
        guard let member = resolved(value).as(MemberAccessExprSyntax.self) else { throw Computed() }
        return member.declName.baseName.text.lowercased()
    }

    // MARK: Values

    /// The value of an earlier constant if the expression is its name; otherwise the expression.
    func resolved(_ value: ExprSyntax) -> ExprSyntax {
        guard let name = value.as(DeclReferenceExprSyntax.self), name.argumentNames == nil,
            let constant = constants[name.baseName.text], constant.endPosition <= name.position
        else { return value }
        return resolved(constant)
    }

    func text(_ value: ExprSyntax?) throws(Computed) -> String {
        guard let value, let text = resolved(value).literal else { throw Computed() }
        return text
    }

    /// The strings in a list; empty if the argument is missing.
    func texts(_ value: ExprSyntax?) throws(Computed) -> [String] { try list(value, text) }

    /// The elements of a list, or of several lists joined by `+`; empty if the argument is missing.
    func list<Element>(
        _ value: ExprSyntax?, _ read: (ExprSyntax) throws(Computed) -> Element
    ) throws(Computed) -> [Element] {
        guard let value = value.map(resolved) else { return [] }
        var elements: [Element] = []
        if let array = value.as(ArrayExprSyntax.self) {
            for element in array.elements { elements.append(try read(element.expression)) }
        } else if let sequence = value.as(SequenceExprSyntax.self) {
            for (index, part) in sequence.elements.enumerated() {
                if index.isMultiple(of: 2) {
                    elements += try list(part, read)
                } else if part.trimmedDescription != "+" {
                    throw Computed()
                }
            }
        } else {
            throw Computed()
        }
        return elements
    }

    /// A call such as `.target(name: "A")` or `Target.target(name: "A")`.
    func call(
        _ value: ExprSyntax, named names: Set<String>
    ) throws(Computed) -> FunctionCallExprSyntax {
        guard let call = resolved(value).as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
            names.contains(call.name ?? "")
        else { throw Computed() }
        return call
    }
}
