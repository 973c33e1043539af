import SwiftParser
import SwiftSyntax

/// The protocol of an Api, parsed for generating calls to it, fakes of it and implementations of it.
struct ApiProtocol {
    /// A requirement that returns a `String` synchronously, without parameters and without throwing.
    enum Question: Equatable {
        case function(String)
        case property(String)

        var call: String {
            switch self {
            case .function(let name): name + "()"
            case .property(let name): name
            }
        }
    }

    /// The module that the Api belongs to.
    let module: String
    /// The requirement that generated code calls; nil when no requirement is simple enough.
    let question: Question?
    /// The modules that the protocol's file imports.
    let imports: [String]

    let requirements: [DeclSyntax]
    /// Whether only classes can conform.
    let isClass: Bool

    var name: String { module + "ApiProtocol" }

    /// Finds the protocol in one of the Api's files; nil when the file does not declare it.
    ///
    /// - Throws: ``EditError`` when no conforming type can be generated for the protocol.
    init?(module: String, path: String, source text: String) throws(EditError) {
        let source = Parser.parse(source: text)
        let node = source.statements.lazy.compactMap { $0.item.as(ProtocolDeclSyntax.self) }
            .first { $0.name.text == module + "ApiProtocol" }
        guard let node else { return nil }
        self.module = module
        imports = source.statements.compactMap { $0.item.as(ImportDeclSyntax.self)?.path.trimmedDescription }
        requirements = node.memberBlock.members.map(\.decl)
        let parents = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        isClass = parents.contains("AnyObject")
        question = requirements.lazy.compactMap(Self.question).first

        let line = SourceLocationConverter(fileName: "", tree: source)
            .location(for: node.positionAfterSkippingLeadingTrivia).line
        func refuse(_ reason: String) -> EditError {
            EditError(
                .usage, at: "\(path):\(line)",
                "no type that conforms to \(module)ApiProtocol can be generated: \(reason).",
                why: "Generated code has to compile and to pass its tests.",
                fix: "Add the module without \(module), and write the code for \(module) yourself.")
        }
        if let parent = parents.first(where: { !["AnyObject", "Sendable"].contains($0) }) {
            throw refuse("it inherits from \(parent)")
        }
        if let attribute = node.attributes.first(where: { !$0.trimmedDescription.hasPrefix("@available") }) {
            throw refuse("it is \(attribute.trimmedDescription)")
        }
        for requirement in requirements {
            if let function = requirement.as(FunctionDeclSyntax.self), function.attributes.isEmpty {
                continue
            }
            if let variable = requirement.as(VariableDeclSyntax.self), variable.attributes.isEmpty {
                continue
            }
            throw refuse("it requires '\(requirement.trimmedDescription.prefix { $0 != "\n" })'")
        }
    }

    static func question(_ requirement: DeclSyntax) -> Question? {
        if let function = requirement.as(FunctionDeclSyntax.self),
            function.modifiers.isEmpty, function.genericParameterClause == nil,
            function.signature.parameterClause.parameters.isEmpty, function.signature.effectSpecifiers == nil,
            function.signature.returnClause?.type.trimmedDescription == "String"
        {
            return .function(function.name.text)
        }
        if let variable = requirement.as(VariableDeclSyntax.self), variable.modifiers.isEmpty,
            let binding = variable.bindings.first,
            binding.typeAnnotation?.type.trimmedDescription == "String",
            !(binding.accessorBlock?.trimmedDescription ?? "").contains("async"),
            !(binding.accessorBlock?.trimmedDescription ?? "").contains("throws")
        {
            return .property(binding.pattern.trimmedDescription)
        }
        return nil
    }
}
