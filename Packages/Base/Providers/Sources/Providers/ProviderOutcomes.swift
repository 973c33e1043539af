/// The outcomes of calling all providers, in the order of the calls.
public struct ProviderOutcomes<Value, Failure: Error> {
    /// The providers that were called, each with its value or error.
    public internal(set) var results: [(provider: ProviderHandle, result: Result<Value, Failure>)] = []

    let interface: Any.Type

    init(interface: Any.Type) { self.interface = interface }

    /// The values of the calls that succeeded.
    public var values: [Value] {
        // `compactMap` would drop a value that is nil.
        results.flatMap { (try? [$0.result.get()]) ?? [] }
    }

    /// The providers that failed, with their errors.
    public var failures: [ProviderFailure<Failure>] {
        results.compactMap { outcome in
            guard case .failure(let error) = outcome.result else { return nil }
            return ProviderFailure(provider: outcome.provider, error: error)
        }
    }

    /// The values of all calls.
    ///
    /// - Throws: ``ProvidersError`` with every failure, if any call failed.
    @discardableResult
    public func get(
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ProvidersError<Failure>) -> [Value] {
        let failures = failures
        guard failures.isEmpty else {
            throw ProvidersError(interface: interface, failures: failures, site: "\(fileID):\(line)")
        }
        return values
    }
}

extension ProviderOutcomes: Sendable where Value: Sendable {}

/// A provider that failed, and its error.
public struct ProviderFailure<Failure: Error>: Sendable, CustomStringConvertible {
    /// The provider that failed.
    public let provider: ProviderHandle
    /// The error that the provider threw.
    public let error: Failure

    /// The descriptions of the provider and the error.
    public var description: String { "\(provider): \(error)" }
}

/// The error of a `firstSuccess` call in which no provider succeeded, or of a `callAll` call in which at least one
/// provider failed.
public struct ProvidersError<Failure: Error>: Error, CustomStringConvertible {
    /// The module-qualified name of the interface: `LoggerApi.LoggerApiProtocol`.
    public let interface: String
    /// The providers that failed, in the order of the calls. Empty if no provider matches.
    public let failures: [ProviderFailure<Failure>]
    /// The file and line of the call: `Shell/Upload.swift:12`.
    public let site: String

    init(interface: Any.Type, failures: [ProviderFailure<Failure>], site: String) {
        (self.interface, self.failures, self.site) = (String(reflecting: interface), failures, site)
    }

    /// The message, on one line: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        guard !failures.isEmpty else {
            return """
                \(site): no provider of \(interface) matches. A call needs a provider that satisfies the injected \
                condition; the provider's module may be missing from this app. Add a provider before this \
                call, with add(_:tags:priority:), or use pick() and handle nil.
                """
        }
        let list = failures.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "; ")
        return """
            \(site): providers of \(interface) failed: \(list). A failed provider returns no result. \
            Fix the causes of the errors, add a provider of lower priority that always works, or remove \
            unreliable providers with remove(_:).
            """
    }
}
