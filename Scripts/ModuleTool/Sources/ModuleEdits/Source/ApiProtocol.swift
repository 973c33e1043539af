import SwiftParser
import SwiftSyntax

/// The protocol of another module's Api, as far as a caller's source and its tests need to know it.
struct ApiProtocol {
    /// Something that the Api answers with a `String` at once.
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
    /// What a new caller asks, if there is something that simple.
    let question: Question?
    /// The modules that the protocol's file imports.
    let imports: [String]

    let requirements: [DeclSyntax]
    /// Whether only classes can conform.
    let isClass: Bool

    var name: String { module + "ApiProtocol" }

    /// Finds the protocol in one of the Api's files; nil when it is not there.
    ///
    /// - Throws: ``EditError`` when it is there and a conforming type cannot be written.
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
                "no type that conforms to \(module)ApiProtocol can be written: \(reason).",
                why: "Generated code has to compile and to be tested.",
                mend: "Add the module without \(module), and write that part by hand.")
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
