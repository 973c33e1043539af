/// A provider that failed, and how.
public struct ProviderFailure<Failure: Error>: Sendable, CustomStringConvertible {
    /// Which provider it was.
    public let provider: ProviderHandle

    /// What it threw.
    public let error: Failure

    @inlinable
    init(provider: ProviderHandle, error: Failure) {
        self.provider = provider
        self.error = error
    }

    /// The provider, and the error's description.
    public var description: String { "\(provider): \(error)" }
}

/// A call that the providers of an interface did not do. The description is for a person: where, what, why and
/// how to mend it.
public struct ProvidersError<Failure: Error>: Error, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Hashable {
        /// There was no provider, or none that fits.
        case noProvider
        /// Each provider that fits was called and failed.
        case allFailed
        /// Of all that were called, some failed; the others have done their part.
        case someFailed
        /// One failed, and the task was cancelled, so that the next was not called.
        case cancelled
    }

    /// What went wrong.
    public let code: Code

    /// The module-qualified name of the interface: `LoggerApi.LoggerApiProtocol`.
    public let interface: String

    /// The providers that failed, in the order of the calls; none with ``Code/noProvider``.
    public let failures: [ProviderFailure<Failure>]

    /// Where the call was made: `Shell/Upload.swift:12`.
    public let site: String

    /// How many providers there were to call; with ``Code/noProvider``, how many there were at all.
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

    /// Where, what, why and how to mend it, in one line.
    public var description: String {
        let list = failures.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "; ")
        return switch code {
        case .noProvider where count == 0:
            """
            \(site): there is no provider of \(interface). An interface does nothing by itself, and the \
            module that provides it may be left out of an app. Add a provider at setup, before this call \
            (add(_:tags:priority:)), or ask with pick() and go on without one when that returns nil.
            """
        case .noProvider:
            """
            \(site): none of the \(count) providers of \(interface) fits. Only those are called that fit the \
            injected condition and the caller's `where`. Add a provider with the tags that these ask for, or \
            widen the condition.
            """
        case .allFailed:
            """
            \(site): every provider of \(interface) failed: \(list). A fail-over ends when no provider is \
            left. Mend what the errors tell of, or add a provider of lower priority that always works.
            """
        case .someFailed:
            """
            \(site): \(failures.count) of \(count) providers of \(interface) failed: \(list). The others were \
            called all the same and have done their part. Mend what the errors tell of, or take a provider \
            that may fail out with remove(_:).
            """
        case .cancelled:
            """
            \(site): the task was cancelled after \(failures.count) of \(count) providers of \(interface) had \
            failed: \(list). A cancelled task does not go on to the next provider. If it should, make the \
            call in a task of its own.
            """
        }
    }
}
