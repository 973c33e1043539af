import Foundation
import ModuleFacts
import ModuleKit
import SwiftParser
import SwiftSyntax

/// An Api's protocol, as needed to generate a client and a service for another process.
struct RemoteApi: Sendable {
    /// A requirement that another process can call.
    struct Requirement: Sendable, Hashable {
        struct Parameter: Sendable, Hashable {
            /// As written in the requirement: `_` or a label.
            let label: String
            /// The name inside the client's method.
            let name: String
            let type: String
            /// A sample value for a test; nil if only the Api can create one.
            let sample: String?
        }

        /// The name without labels, with backticks if the source has them.
        let name: String
        let parameters: [Parameter]
        /// The error that the requirement declares; nil for an untyped `throws`.
        let error: String?
        /// The type of the result; nil if the requirement returns nothing.
        let result: String?
        /// The type of the elements, if the result is a stream.
        let element: String?
        let isIdempotent: Bool

        /// The name on the wire, such as `pass(code:station:)`.
        var fullName: String {
            "\(name.unquoted)(\(parameters.map { $0.label.unquoted + ":" }.joined()))"
        }
    }

    /// A reason why the Api cannot be called in another process.
    struct Obstacle: Sendable, Hashable {
        let place: SourcePlace
        let what: String
        let fix: String
    }

    /// The file that declares the protocol.
    let path: String
    let requirements: [Requirement]
    let obstacles: [Obstacle]

    /// Reads the protocol of an Api.
    ///
    /// - Parameters:
    ///   - files: The contents of the Api's files, by path.
    ///   - libraries: The contents of the files of the libraries whose types the protocol may use, by module and path.
    ///   - reserved: The names that the Api must not declare, because the generated code uses them.
    init(
        module: String, _ files: [String: Data], libraries: [String: [String: Data]] = [:],
        reserved: Set<String> = []
    ) throws(Diagnostic) {
        let name = module + "Protocol"
        var types = RemoteTypes(module: module, surface: try ApiSurface(module: module, files))
        for (library, files) in libraries {
            types.libraries[library] = try ApiSurface(module: library, files)
        }
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(data)
            let found = try SourceParser.read(bytes, in: path) { [types] file -> RequirementReader? in
                let declaration = file.statements.lazy.compactMap { $0.item.as(ProtocolDeclSyntax.self) }
                    .first { $0.name.text.unquoted == name }
                guard let declaration else { return nil }
                var reader = RequirementReader(path: path, lines: LineTable(bytes), types: types)
                reader.read(declaration, reserved)
                return reader
            }
            guard let found else { continue }
            (self.path, requirements, obstacles) = (path, found.requirements, found.obstacles)
            return
        }
        (path, requirements) = ("", [])
        obstacles = [
            Obstacle(
                place: SourcePlace(path: files.keys.min() ?? module),
                what: "\(module) has no protocol named \(name)",
                fix: "Declare the protocol, or correct its name.")
        ]
    }
}

/// Reads the requirements of one protocol.
private struct RequirementReader: Sendable {
    let path: String
    let lines: LineTable
    let types: RemoteTypes
    var requirements: [RemoteApi.Requirement] = []
    var obstacles: [RemoteApi.Obstacle] = []

    mutating func read(_ node: ProtocolDeclSyntax, _ reserved: Set<String>) {
        let name = node.name.text
        let attributes = node.attributes.map(\.trimmedDescription).filter { !$0.hasPrefix("@available") }
        let inherited = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        if inherited != ["Sendable"] || !attributes.isEmpty {
            report(
                "\(name) does not inherit from Sendable alone, or has an attribute such as @MainActor",
                fix: "Declare it as protocol \(name): Sendable.", at: node.name)
        }
        for taken in reserved.sorted() where !types.surface[taken].isEmpty {
            report(
                "\(name) is in a module with a type named \(taken), and the generated code uses this name",
                fix: "Rename \(taken).", at: node.name)
        }
        for member in node.memberBlock.members {
            if let function = member.decl.as(FunctionDeclSyntax.self) {
                read(function)
            } else {
                let variable = member.decl.as(VariableDeclSyntax.self)?.bindings.first
                let place = variable.map(Syntax.init) ?? Syntax(member.decl)
                let name = variable?.pattern.trimmedDescription
                let word = member.decl.firstToken(viewMode: .sourceAccurate)?.text
                report(
                    "\(name ?? word ?? "") is not a method",
                    fix: word == "#if"
                        ? "Declare the requirements outside #if." : "Replace it with an async throws method.",
                    at: place)
            }
        }
    }

    private mutating func report(_ what: String, fix: String, at node: some SyntaxProtocol) {
        obstacles.append(.init(place: lines.position(node).in(path), what: what, fix: fix))
    }

    private mutating func read(_ node: FunctionDeclSyntax) {
        let effects = node.signature.effectSpecifiers
        let written = node.signature.parameterClause.parameters
        let error = effects?.throwsClause?.type.map(types.text).flatMap {
            ["any Error", "Error"].contains($0) ? nil : $0
        }
        let type = node.signature.returnClause?.type
        let result = type.map(types.text).flatMap { ["Void", "()"].contains($0) ? nil : $0 }
        let element = type.flatMap(types.element)
        let parameters = written.enumerated().map { index, parameter in
            let written = (parameter.secondName ?? parameter.firstName).text
            let name = written == "_" ? "argument\(index + 1)" : written.unquoted
            // The compiler warns about other escaped labels.
            let label = parameter.firstName.text
            return RemoteApi.Requirement.Parameter(
                label: ["`inout`", "`let`", "`var`"].contains(label) ? label : label.unquoted,
                name: name.isValidSwiftIdentifier(for: .variableName) ? name : "`\(name)`",
                type: types.text(parameter.type), sample: types.sample(of: parameter.type))
        }
        let requirement = RemoteApi.Requirement(
            name: node.name.text, parameters: parameters, error: error, result: result,
            element: element.map(types.text), isIdempotent: isIdempotent(node))
        let name = requirement.fullName
        if effects?.asyncSpecifier?.text != "async" || effects?.throwsClause?.throwsSpecifier.text != "throws"
            || error == "Never"
        {
            report("\(name) is not async throws", fix: "Add async throws.", at: node.name)
        }
        if node.genericParameterClause != nil || node.genericWhereClause != nil
            || node.modifiers.contains(where: { ["static", "mutating"].contains($0.name.text) })
            || written.contains(where: { $0.ellipsis != nil })
        {
            report(
                "\(name) is static, mutating, generic or variadic",
                fix:
                    "Make it an ordinary method: an array replaces a variadic parameter, and a Codable type a "
                    + "generic one.", at: node.name)
        }
        if requirements.contains(where: { $0.fullName == name }) {
            report(
                "\(name) has the same name and labels as another requirement", fix: "Change a label.",
                at: node.name)
        }
        let sent =
            zip(parameters, written).map { ($1.type, "the parameter \($0.name)") }
            + [(element ?? type).flatMap { result == nil ? nil : ($0, "its result") }].compactMap(\.self)
        for (type, subject) in sent {
            guard let fix = types.fix(for: type) else { continue }
            report("\(name) cannot send \(subject), `\(types.text(type))`", fix: fix, at: node.name)
        }
        if let error, error != "Never", let type = effects?.throwsClause?.type,
            let fix = types.fix(forError: type)
        {
            report("\(name) cannot send its error, `\(error)`", fix: fix, at: node.name)
        }
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
