/// The code of the requirements in a generated client and service.
struct RemoteCode {
    let api: RemoteApi
    /// The name of the package.
    let remote: String

    /// Whether the tests can call any requirement.
    var hasCalls: Bool { !calls.isEmpty }

    /// The values of the templates.
    var values: [String: String] {
        let names = Set(api.requirements.flatMap { [$0.name] + $0.parameters.map(\.name) })
        let connection = names.contains("connection") ? "remoteConnection" : "connection"
        let pairs = zip(api.requirements, constants)
        return [
            "connection": connection,
            "Assignment": connection == "connection" ? "self.connection" : connection,
            "Methods": pairs.map { method($0, $1, connection) }.joined(separator: "\n\n    "),
            "Constants": pairs.map(constant).joined(separator: "\n    "),
            "Additions": pairs.map(addition).joined(separator: "\n        "),
            "Calls": calls.joined(separator: "\n            "),
        ]
    }

    /// A name for each requirement: its own name or, if that is taken, its name and labels.
    private var constants: [String] {
        var taken: Set = ["pair", "service", "`self`", "`Type`"]
        let names = api.requirements.map(\.name)
        for name in names where names.count(where: { $0 == name }) > 1 { taken.insert(name) }
        return api.requirements.map { requirement in
            var name = requirement.name
            if taken.contains(name) {
                name = requirement.fullName.split { !$0.isLetter && !$0.isNumber }.enumerated().map {
                    index, word in
                    index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
                }.joined()
            }
            while !taken.insert(name).inserted { name += "2" }
            return name
        }
    }

    private func method(
        _ requirement: RemoteApi.Requirement, _ constant: String, _ connection: String
    ) -> String {
        let parameters = requirement.parameters.map { parameter in
            let names =
                [parameter.label, "`\(parameter.label)`"].contains(parameter.name)
                ? parameter.label : "\(parameter.label) \(parameter.name)"
            return "\(names): \(parameter.type)"
        }
        let arguments = ["\(remote).\(constant)"] + requirement.parameters.map(\.name)
        let end =
            (requirement.error.map { "(\($0))" } ?? "") + (requirement.result.map { " -> \($0)" } ?? "")
        return """
            public func \(requirement.name)(\(parameters.joined(separator: ", "))) async throws\(end) {
                    try await \(connection).\(requirement.element == nil ? "call" : "stream")\
            (\(arguments.joined(separator: ", ")))
                }
            """
    }

    private func constant(_ requirement: RemoteApi.Requirement, _ constant: String) -> String {
        let result = requirement.element ?? requirement.result ?? "RemoteVoid"
        let types = [result, requirement.error ?? "RemoteError"] + requirement.parameters.map(\.type)
        let kind = requirement.element != nil ? ", .stream" : requirement.isIdempotent ? ", .repeatable" : ""
        return """
            static let \(constant) = RemoteCall<\(types.joined(separator: ", "))>(\
            "\(requirement.fullName)", of: pair\(kind))\
            \(requirement.error == nil ? "" : " { .unreachable(\"\\($0)\") }")
            """
    }

    private func addition(_ requirement: RemoteApi.Requirement, _ constant: String) -> String {
        let call = Self.call(requirement, requirement.parameters.indices.map { "$\($0)" })
        return "service.\(requirement.element == nil ? "add" : "addStream")(\(constant)) { \(call) }"
    }

    /// A call to each requirement whose arguments a test can create.
    private var calls: [String] {
        api.requirements.compactMap { requirement in
            let samples = requirement.parameters.compactMap(\.sample)
            guard samples.count == requirement.parameters.count else { return nil }
            let result = requirement.result == nil ? "" : "_ = "
            return "await expectError { \(result)\(Self.call(requirement, samples)) }"
        }
    }

    private static func call(_ requirement: RemoteApi.Requirement, _ arguments: [String]) -> String {
        let arguments = zip(requirement.parameters, arguments).map { parameter, argument in
            parameter.label == "_" ? argument : "\(parameter.label): \(argument)"
        }
        return "try await api.\(requirement.name)(\(arguments.joined(separator: ", ")))"
    }
}
