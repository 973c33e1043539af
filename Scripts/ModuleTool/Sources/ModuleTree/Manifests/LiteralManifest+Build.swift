import ModuleFacts
import ModuleKit
import SwiftSyntax

/// Reads how SwiftPM builds the package of a manifest that consists of literals.
extension LiteralManifest {
    /// Returns nil if the manifest computes anything.
    static func build(_ bytes: [UInt8], in folder: String) throws(Diagnostic) -> BuildManifest? {
        try SourceParser.read(bytes, in: folder + "/Package.swift") { file in
            guard !file.hasError else { return nil }
            var reader = LiteralManifest(folder: folder, lines: LineTable(bytes))
            return try? reader.build(file)
        }
    }

    private mutating func build(_ file: SourceFileSyntax) throws(Computed) -> BuildManifest {
        var build = try value(
            of: file.statements,
            package: { reader, value throws(Computed) in try reader.package(value) },
            change: { reader, statement, build throws(Computed) in
                guard Self.isSettingsLoop(statement) else { return try reader.append(statement, to: &build) }
                let settings = try reader.settings(ofLoop: statement)
                for name in build.targets.keys { build.targets[name]?.settings += settings }
            })
        let comments = file.leadingTrivia.pieces.compactMap { piece -> String? in
            if case .lineComment(let text) = piece { text } else { nil }
        }
        let version = comments.lazy.compactMap { $0.firstMatch(of: /swift-tools-version\s*:\s*([\d.]+)/)?.1 }
            .first
        guard let version else { throw Computed() }
        build.toolsVersion = Manifest.numbers(String(version))
        return build
    }

    /// Reads `target.swiftSettings = (target.swiftSettings ?? []) + [...]` in a loop over all targets.
    private func settings(ofLoop item: CodeBlockItemSyntax.Item) throws(Computed) -> [BuildManifest.Setting] {
        guard let loop = item.as(ForStmtSyntax.self), loop.whereClause == nil,
            loop.pattern.trimmedDescription == "target"
        else { throw Computed() }
        var all: [BuildManifest.Setting] = []
        for statement in loop.body.statements {
            let parts = statement.item.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
            guard parts.count == 5, parts[1].trimmedDescription == "=",
                parts[2].trimmedDescription == "(target.swiftSettings ?? [])",
                parts[3].trimmedDescription == "+"
            else { throw Computed() }
            all += try settings(parts[4], of: .swift)
        }
        return all
    }

    private func append(_ item: CodeBlockItemSyntax.Item, to build: inout BuildManifest) throws(Computed) {
        guard let call = item.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            let value = call.arguments.first?.expression
        else { throw Computed() }
        switch call.calledExpression.trimmedDescription {
        case "package.products.append": break
        case "package.dependencies.append": try add(value, to: &build)
        case "package.targets.append":
            let (name, target) = try target(value)
            build.targets[name] = target
        default: throw Computed()
        }
    }

    private static let arguments: Set = [
        "name", "defaultLocalization", "platforms", "products", "traits", "dependencies", "targets",
        "swiftLanguageModes", "swiftLanguageVersions", "cLanguageStandard", "cxxLanguageStandard",
    ]

    private func package(_ value: ExprSyntax) throws(Computed) -> BuildManifest {
        let call = try call(value, named: ["Package", "init"])
        guard call.arguments.allSatisfy({ Self.arguments.contains($0.label?.text ?? "") }) else {
            throw Computed()
        }
        var build = BuildManifest()
        build.defaultLocalization = try call["defaultLocalization"].map(text)
        for (name, version) in try list(call["platforms"], minimum) { build.platforms[name] = version }
        build.cStandard = try call["cLanguageStandard"].map(member)
        build.cxxStandard = try call["cxxLanguageStandard"].map(member)
        let modes = call["swiftLanguageModes"] ?? call["swiftLanguageVersions"]
        if modes != nil { build.languageModes = try list(modes, version) }
        for (name, enabled) in try list(call["traits"], trait) { build.traits[name] = enabled }
        for dependency in try list(call["dependencies"], { value throws(Computed) in value }) {
            try add(dependency, to: &build)
        }
        for (name, target) in try list(call["targets"], target) { build.targets[name] = target }
        return build
    }

    private func trait(_ value: ExprSyntax) throws(Computed) -> (String, Set<String>) {
        if let name = try? text(value) { return (name, []) }
        let call = try call(value, named: ["trait", "default", "Trait", "init"])
        let enabled = Set(try texts(call["enabledTraits"]))
        return (call.name == "default" ? "default" : try text(call["name"]), enabled)
    }

    // MARK: Packages

    private func add(_ value: ExprSyntax, to build: inout BuildManifest) throws(Computed) {
        let call = try call(value, named: ["package"])
        let address = try text(call["path"] ?? call["url"] ?? call["id"])
        let identity =
            call["id"] == nil
            ? PackageIdentity.of(call["path"] == nil ? address : PathText.join(folder, address))
            : address.lowercased()
        if call["traits"] != nil { build.selections[identity] = try list(call["traits"], selection) }
        guard call["path"] == nil else { return }
        build.remotes[identity] = .init(
            address: address, isInRegistry: call["id"] != nil, requirement: try requirement(call))
    }

    private func selection(_ value: ExprSyntax) throws(Computed) -> BuildManifest.Selection {
        if let name = try? text(value) { return .init(name: name) }
        if resolved(value).as(MemberAccessExprSyntax.self)?.declName.baseName.text == "defaults" {
            return .init(name: "default")
        }
        let call = try call(value, named: ["trait"])
        let condition = try call["condition"].map { value throws(Computed) in
            try self.call(value, named: ["when"])
        }
        return .init(name: try text(call["name"]), traits: Set(try texts(condition?["traits"])))
    }

    private func requirement(_ call: FunctionCallExprSyntax) throws(Computed) -> BuildManifest.Requirement {
        if let version = call["exact"] { return .exact(try text(version)) }
        for kind in ["branch", "revision"] {
            if let value = call[kind] { return .reference(kind, try text(value)) }
        }
        let lower = try text(call["from"])
        guard let major = Manifest.numbers(lower).first else { throw Computed() }
        return .range(lower, "\(major + 1).0.0")
    }

    // MARK: Targets

    private static let targetArguments: Set = [
        "name", "dependencies", "path", "exclude", "sources", "resources", "publicHeadersPath",
        "packageAccess",
        "cSettings", "cxxSettings", "swiftSettings", "linkerSettings", "plugins",
    ]

    private func target(_ value: ExprSyntax) throws(Computed) -> (String, BuildManifest.Target) {
        let call = try call(value, named: Set(Self.kinds.keys))
        var target = BuildManifest.Target()
        let name = try text(call["name"])
        guard let kind = Self.kinds[call.name ?? ""], [.regular, .executable, .test, .macro].contains(kind)
        else {
            return (name, target)
        }
        guard call.arguments.allSatisfy({ Self.targetArguments.contains($0.label?.text ?? "") }) else {
            throw Computed()
        }
        target.exclude = try texts(call["exclude"])
        target.resources = try list(call["resources"], resource)
        target.publicHeadersPath = try call["publicHeadersPath"].map(text)
        if let access = call["packageAccess"] {
            guard let literal = resolved(access).as(BooleanLiteralExprSyntax.self) else { throw Computed() }
            target.packageAccess = literal.literal.text == "true"
        }
        for tool in BuildManifest.Setting.Tool.allCases {
            target.settings += try settings(call[tool.rawValue], of: tool)
        }
        return (name, target)
    }

    private func resource(_ value: ExprSyntax) throws(Computed) -> BuildManifest.Resource {
        let call = try call(value, named: ["copy", "process", "embedInCode"])
        return .init(
            rule: call.name ?? "", path: try text(call.arguments.first?.expression),
            localization: try call["localization"].map(member))
    }

    private func settings(
        _ value: ExprSyntax?, of tool: BuildManifest.Setting.Tool
    ) throws(Computed) -> [BuildManifest.Setting] {
        try list(value) { value throws(Computed) in
            guard let call = self.resolved(value).as(FunctionCallExprSyntax.self),
                call.trailingClosure == nil,
                let name = call.name
            else { throw Computed() }
            var setting = BuildManifest.Setting(tool, name)
            for argument in call.arguments {
                if let when = argument.expression.as(FunctionCallExprSyntax.self), when.name == "when" {
                    setting.platforms = try self.list(when["platforms"], self.platformName)
                    setting.configuration = try when["configuration"].map(self.member)
                    setting.traits = Set(try self.texts(when["traits"]))
                } else {
                    let label = argument.label.map { $0.text + ": " } ?? ""
                    setting.arguments.append(label + (try self.code(argument.expression)))
                }
            }
            return setting
        }
    }

    private func platformName(_ value: ExprSyntax) throws(Computed) -> String {
        guard let name = BuildManifest.platform(try platform(value)) else { throw Computed() }
        return name
    }

    /// A platform and its minimum version, such as `.macOS(.v15)` and `.iOS("18.1")`.
    private func minimum(_ value: ExprSyntax) throws(Computed) -> (String, [Int]) {
        guard let call = resolved(value).as(FunctionCallExprSyntax.self), let name = call.name,
            name != "custom", BuildManifest.platform(name) == name,
            let argument = call.arguments.first?.expression
        else { throw Computed() }
        let numbers = Manifest.numbers(try version(argument))
        return (name, numbers.count > 1 ? numbers : numbers + [0])
    }

    /// `10.15` for `.v10_15` and for `"10.15"`, and likewise the argument of `.version("6")`.
    private func version(_ value: ExprSyntax) throws(Computed) -> String {
        if let text = try? text(value) { return text }
        if let call = try? call(value, named: ["version"]) {
            return try text(call.arguments.first?.expression)
        }
        let name = try member(value)
        guard name.hasPrefix("v") else { throw Computed() }
        return String(name.dropFirst()).replacing("_", with: ".")
    }

    // MARK: Values

    /// The name in `.name`.
    private func member(_ value: ExprSyntax) throws(Computed) -> String {
        guard let member = resolved(value).as(MemberAccessExprSyntax.self), member.base == nil else {
            throw Computed()
        }
        return member.declName.baseName.text
    }

    /// The code of a literal that has the same value in every manifest.
    private func code(_ value: ExprSyntax) throws(Computed) -> String {
        let value = resolved(value)
        if let text = value.literal { return text.debugDescription }
        if value.is(NilLiteralExprSyntax.self) || value.trimmedDescription == "MainActor.self" {
            return value.trimmedDescription
        }
        if let array = value.as(ArrayExprSyntax.self) {
            var parts: [String] = []
            for element in array.elements { parts.append(try code(element.expression)) }
            return "[\(parts.joined(separator: ", "))]"
        }
        return "." + (try member(value))
    }
}
