import Foundation
import SwiftParser
import SwiftSyntax

/// An Api's protocol, as needed to generate a client and a service for another process.
package struct RemoteApi: Sendable {
    /// A requirement that another process can call.
    package struct Requirement: Sendable, Hashable {
        package struct Parameter: Sendable, Hashable {
            /// As written in the requirement: `_` or a label.
            package let label: String
            /// The name inside the client's method.
            package let name: String
            package let type: String
            /// A sample value for a test; nil if only the Api can create one.
            package let sample: String?
        }

        /// The name without labels, with backticks if the source has them.
        package let name: String
        package let parameters: [Parameter]
        /// The error that the requirement declares; nil for an untyped `throws`.
        package let error: String?
        /// The type of the result; nil if the requirement returns nothing.
        package let result: String?
        /// The type of the elements, if the result is a stream.
        package let element: String?
        package let isIdempotent: Bool

        /// The name on the wire, such as `pass(code:station:)`.
        package var fullName: String {
            "\(name.unquoted)(\(parameters.map { $0.label.unquoted + ":" }.joined()))"
        }
    }

    /// The reasons why one requirement cannot be called in another process.
    package struct Obstacle: Sendable, Hashable {
        package let place: SourcePlace
        package let what: String
        package let fix: String
    }

    /// The file that declares the protocol.
    package private(set) var path = ""
    package private(set) var requirements: [Requirement] = []
    package private(set) var obstacles: [Obstacle] = []

    /// Reads the protocol of an Api.
    ///
    /// - Parameters:
    ///   - files: The contents of the Api's files, by path.
    ///   - reserved: The names that the Api must not declare, because the generated code uses them.
    package init(
        module: String, _ files: [String: Data], reserved: Set<String> = []
    ) throws(Diagnostic) {
        let name = module + "Protocol"
        let judge = RemoteTypes(module: module, surface: try ApiSurface(module: module, files))
        let taken = reserved.filter(judge.surface.has).sorted()
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(data)
            let reader = try SourceParser.read(bytes, in: path) { file -> RequirementReader? in
                let declaration = file.statements.lazy.compactMap { $0.item.as(ProtocolDeclSyntax.self) }
                    .first { $0.name.text.unquoted == name }
                guard let declaration else { return nil }
                var reader = RequirementReader(
                    path: path, lines: LineTable(bytes), judge: judge, taken: taken)
                reader.read(declaration)
                return reader
            }
            guard let reader else { continue }
            self.path = path
            (requirements, obstacles) = (reader.requirements, reader.obstacles)
            return
        }
        obstacles = [
            Obstacle(
                place: SourcePlace(path: files.keys.min() ?? module),
                what: "\(module) has no protocol named \(name)",
                fix: "declare the protocol, or correct its name")
        ]
    }
}

/// Reads the requirements of one protocol.
private struct RequirementReader: Sendable {
    let path: String
    let lines: LineTable
    let judge: RemoteTypes
    /// The names in the Api that the generated code uses for other types.
    let taken: [String]
    var requirements: [RemoteApi.Requirement] = []
    var obstacles: [RemoteApi.Obstacle] = []

    mutating func read(_ node: ProtocolDeclSyntax) {
        let inherited = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        var problems = inherited.filter { $0 != "Sendable" }.map {
            RemoteProblem("inherits from \($0)", fix: "make the protocol inherit only from Sendable")
        }
        if !inherited.contains("Sendable") {
            problems.append(.init("does not inherit from Sendable", fix: "write \(node.name.text): Sendable"))
        }
        for attribute in node.attributes where !attribute.trimmedDescription.hasPrefix("@available") {
            let name = attribute.trimmedDescription
            problems.append(.init("has the attribute \(name)", fix: "remove \(name)"))
        }
        problems += taken.map {
            .init(
                "is in a module with a type named \($0), and the generated code uses this name",
                fix: "rename \($0)"
            )
        }
        report(problems, of: node.name.text, at: node.name)
        for member in node.memberBlock.members { read(member.decl) }
    }

    private mutating func read(_ node: DeclSyntax) {
        switch node.as(DeclSyntaxEnum.self) {
        case .functionDecl(let node): read(node)
        case .variableDecl(let node):
            for binding in node.bindings {
                let name = binding.pattern.trimmedDescription
                refuse(binding, name, "is a property", "replace it with a method that is async throws")
            }
        case .subscriptDecl:
            refuse(node, "subscript", "is a subscript", "replace it with a method that is async throws")
        case .initializerDecl:
            refuse(node, "init", "is an initialiser", "replace it with a method that returns a value")
        case .associatedTypeDecl(let node):
            refuse(node.name, node.name.text, "is an associated type", "use a single Codable type instead")
        case .ifConfigDecl:
            refuse(
                node, "#if", "makes requirements depend on the build",
                "declare the same requirements in all builds")
        default: break
        }
    }

    private mutating func refuse(_ place: some SyntaxProtocol, _ name: String, _ what: String, _ fix: String)
    {
        report([.init(what, fix: fix)], of: name, at: place)
    }

    private mutating func report(_ problems: [RemoteProblem], of name: String, at node: some SyntaxProtocol) {
        guard !problems.isEmpty else { return }
        var fixes: [String] = []
        for problem in problems where !fixes.contains(problem.fix) { fixes.append(problem.fix) }
        obstacles.append(
            .init(
                place: lines.position(node).in(path),
                what: "\(name) " + problems.map(\.what).joined(separator: ", and "),
                fix: fixes.joined(separator: "; ")))
    }

    private mutating func read(_ node: FunctionDeclSyntax) {
        var problems: [RemoteProblem] = []
        for modifier in node.modifiers.map(\.name.text) where ["static", "mutating"].contains(modifier) {
            problems.append(.init("is \(modifier)", fix: "remove \(modifier)"))
        }
        if node.genericParameterClause != nil || node.genericWhereClause != nil {
            problems.append(.init("is generic", fix: "use concrete Codable types instead"))
        }
        let effects = node.signature.effectSpecifiers
        let error = effects?.throwsClause?.type.map(judge.text)
        let isThrowing = effects?.throwsClause?.throwsSpecifier.text == "throws" && error != "Never"
        if effects?.asyncSpecifier?.text != "async" || !isThrowing {
            problems.append(.init("is not async throws", fix: "add async throws"))
        }
        let isTyped = error.map { !["any Error", "Error", "Never"].contains($0) } ?? false
        if isTyped, let type = effects?.throwsClause?.type { problems += judge.problems(ofError: type) }
        let parameters = node.signature.parameterClause.parameters.enumerated().map { index, parameter in
            let written = (parameter.secondName ?? parameter.firstName).text
            let name = written == "_" ? "argument\(index + 1)" : written.unquoted
            problems += judge.problems(of: parameter.type, as: "the parameter \(name)")
            if parameter.ellipsis != nil {
                problems.append(.init("has a variadic parameter", fix: "use an array instead"))
            }
            // The compiler warns about other escaped labels.
            let label = parameter.firstName.text
            return RemoteApi.Requirement.Parameter(
                label: ["`inout`", "`let`", "`var`"].contains(label) ? label : label.unquoted,
                name: name.isValidSwiftIdentifier(for: .variableName) ? name : "`\(name)`",
                type: judge.text(parameter.type), sample: judge.sample(of: parameter.type))
        }
        let type = node.signature.returnClause?.type
        let result = type.map(judge.text).flatMap { ["Void", "()"].contains($0) ? nil : $0 }
        let element = type.flatMap(judge.element)
        if let type = element ?? type, result != nil {
            problems += judge.problems(of: type, as: "its result")
        }
        let requirement = RemoteApi.Requirement(
            name: node.name.text, parameters: parameters, error: isTyped ? error : nil, result: result,
            element: element.map(judge.text), isIdempotent: isIdempotent(node))
        if requirements.contains(where: { $0.fullName == requirement.fullName }) {
            problems.append(
                .init("has the same name and labels as another requirement", fix: "change a label"))
        }
        report(problems, of: requirement.fullName, at: node.name)
        requirements.append(requirement)
    }

    /// Whether the documentation has a list item `- Idempotent:`.
    private func isIdempotent(_ node: FunctionDeclSyntax) -> Bool {
        node.leadingTrivia.contains { piece in
            switch piece {
            case .docLineComment(let text): text.contains(/^\/\/\/\s*[-*+] Idempotent:/)
            case .docBlockComment(let text): text.contains(/\n[\s*]*[-*+] Idempotent:/)
            default: false
            }
        }
    }
}
