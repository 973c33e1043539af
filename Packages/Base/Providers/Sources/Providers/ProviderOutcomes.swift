/// How one provider's call went.
public struct ProviderOutcome<Value, Failure: Error> {
    /// Which provider it was.
    public let provider: ProviderHandle

    /// What it returned, or what it threw.
    public let result: Result<Value, Failure>

    @inlinable
    init(provider: ProviderHandle, result: Result<Value, Failure>) {
        self.provider = provider
        self.result = result
    }
}

extension ProviderOutcome: Sendable where Value: Sendable {}

/// How the calls of all providers went, one entry each, in the order of the calls.
public struct ProviderOutcomes<Value, Failure: Error>: RandomAccessCollection {
    @usableFromInline let entries: [ProviderOutcome<Value, Failure>]
    @usableFromInline let interface: Any.Type

    @inlinable
    init(_ entries: [ProviderOutcome<Value, Failure>], interface: Any.Type) {
        self.entries = entries
        self.interface = interface
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many providers were called.
    public var endIndex: Int { entries.count }

    /// How the call at that place, from zero, went.
    public subscript(index: Int) -> ProviderOutcome<Value, Failure> { entries[index] }

    /// What the providers that did not fail returned, in the order of the calls.
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

    /// What the providers returned, when none has failed.
    ///
    /// - Throws: ``ProvidersError`` with every failure, when there is one: ``ProvidersError/Code/someFailed``.
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
