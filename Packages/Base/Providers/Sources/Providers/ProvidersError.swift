/// A provider that failed, and its error.
public struct ProviderFailure<Failure: Error>: Sendable, CustomStringConvertible {
    /// The provider that failed.
    public let provider: ProviderHandle

    /// The error that the provider threw.
    public let error: Failure

    /// The descriptions of the provider and of the error.
    public var description: String { "\(provider): \(error)" }
}

/// The error of a `firstSuccess` call without a success, or of a `callAll` call with a failure.
public struct ProvidersError<Failure: Error>: Error, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The set is empty, or no provider satisfies the conditions.
        case noProvider
        /// Every matching provider was called and failed.
        case allFailed
        /// At least one provider failed in a `callAll` call.
        case someFailed
        /// A provider failed in a cancelled task, so the remaining providers were not called.
        case cancelled
    }

    /// The kind of error.
    public let code: Code

    /// The module-qualified name of the interface: `LoggerApi.LoggerApiProtocol`.
    public let interface: String

    /// The providers that failed, in the order of the calls. Empty for ``Code/noProvider``.
    public let failures: [ProviderFailure<Failure>]

    /// The file and line of the call: `Shell/Upload.swift:12`.
    public let site: String

    /// The number of providers to call; for ``Code/noProvider``, the number of providers in the set.
    private let count: Int

    init(
        code: Code, interface: Any.Type, failures: [ProviderFailure<Failure>], count: Int, site: String
    ) {
        self.code = code
        self.interface = String(reflecting: interface)
        self.failures = failures
        self.count = count
        self.site = site
    }

    /// A message for a person, in one line: the place, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        let list = failures.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "; ")
        return switch code {
        case .noProvider where count == 0:
            """
            \(site): there is no provider of \(interface). An interface needs a provider, and the module that \
            contains the provider may be missing from this app. Add a provider before this call, with \
            add(_:tags:priority:), or use pick() and handle nil.
            """
        case .noProvider:
            """
            \(site): none of the \(count) providers of \(interface) matches. A provider must satisfy the injected \
            condition and the caller's `where`. Add a provider with the tags that these require, or relax the \
            condition.
            """
        case .allFailed:
            """
            \(site): every provider of \(interface) failed: \(list). There is no other provider to try. Fix the \
            causes of the errors, or add a provider of lower priority that always works.
            """
        case .someFailed:
            """
            \(site): \(failures.count) of \(count) providers of \(interface) failed: \(list). callAll calls \
            every provider, even after a failure. Fix the causes of the errors, or remove unreliable providers \
            with remove(_:).
            """
        case .cancelled:
            """
            \(site): the task was cancelled after \(failures.count) of \(count) providers of \(interface) had \
            failed: \(list). A cancelled task does not try the next provider. To try it anyway, make the call \
            in a separate task.
            """
        }
    }
}
