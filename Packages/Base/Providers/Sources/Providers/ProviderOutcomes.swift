/// The outcome of calling one provider.
public struct ProviderOutcome<Value, Failure: Error> {
    /// The provider that was called.
    public let provider: ProviderHandle

    /// The value that the provider returned, or the error that it threw.
    public let result: Result<Value, Failure>

    @inlinable
    init(provider: ProviderHandle, result: Result<Value, Failure>) {
        self.provider = provider
        self.result = result
    }
}

extension ProviderOutcome: Sendable where Value: Sendable {}

/// The outcomes of calling several providers, in the order of the calls.
public struct ProviderOutcomes<Value, Failure: Error>: RandomAccessCollection {
    @usableFromInline let entries: [ProviderOutcome<Value, Failure>]
    @usableFromInline let interface: Any.Type

    @inlinable
    init(_ entries: [ProviderOutcome<Value, Failure>], interface: Any.Type) {
        self.entries = entries
        self.interface = interface
    }

    /// The index of the first outcome: 0.
    public var startIndex: Int { 0 }

    /// The number of providers that were called.
    public var endIndex: Int { entries.count }

    /// The outcome of the call at an index.
    public subscript(index: Int) -> ProviderOutcome<Value, Failure> { entries[index] }

    /// The values of the calls that succeeded, in the order of the calls.
    public var values: [Value] {
        var values: [Value] = []
        for entry in entries { if case .success(let value) = entry.result { values.append(value) } }
        return values
    }

    /// The providers that failed, in the order of the calls.
    public var failures: [ProviderFailure<Failure>] {
        entries.compactMap {
            guard case .failure(let error) = $0.result else { return nil }
            return ProviderFailure(provider: $0.provider, error: error)
        }
    }

    /// Returns the values of all calls, or throws if any call failed.
    ///
    /// - Throws: ``ProvidersError`` with the code ``ProvidersError/Code/someFailed`` and every failure.
    @discardableResult
    public func get(
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ProvidersError<Failure>) -> [Value] {
        let failures = failures
        guard !failures.isEmpty else { return values }
        throw ProvidersError(
            code: .someFailed, interface: interface, failures: failures, count: count,
            site: "\(fileID):\(line)")
    }
}

extension ProviderOutcomes: Sendable where Value: Sendable {}
