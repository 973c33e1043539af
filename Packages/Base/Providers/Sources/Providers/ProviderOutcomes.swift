/// The outcomes of calling all providers, in the order of the calls.
public struct ProviderOutcomes<Value, Failure: Error> {
    /// The providers that were called, each with the value that it returned or the error that it threw.
    public internal(set) var results: [(provider: ProviderHandle, result: Result<Value, Failure>)] = []

    let interface: Any.Type

    init(interface: Any.Type) { self.interface = interface }

    /// The values of the calls that succeeded.
    public var values: [Value] {
        // `flatMap`, because `compactMap` would drop the value nil.
        results.flatMap { outcome -> [Value] in
            if case .success(let value) = outcome.result { [value] } else { [] }
        }
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
