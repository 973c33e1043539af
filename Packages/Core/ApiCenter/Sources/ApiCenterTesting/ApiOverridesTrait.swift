import ApiCenter
import Testing

/// Runs each test with overrides of a center. The function `apis(of:_:)` creates the trait.
public struct ApiOverridesTrait: TestTrait, SuiteTrait, TestScoping {
    let center: ApiCenter
    let overrides: @Sendable (ApiCenter) throws -> Void

    /// A suite passes the trait on to its tests and to the suites inside it.
    public var isRecursive: Bool { true }

    /// Runs one test, or one case of a parameterised test, in a scope of its own. Swift Testing calls this method.
    ///
    /// - Throws: The error that the overrides throw, which fails the test, or the error that the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws { try await center.withOverrides(overrides, operation: function) }
}

extension Trait where Self == ApiOverridesTrait {
    /// Runs a test, or each test of a suite, with IMPs that override the registered ones.
    ///
    /// ```swift
    /// @Test(.apis { $0.register(UserApiProtocol.self) { FakeUser("ann") } })
    /// func greetsTheUser() { ... }
    /// ```
    ///
    /// Each test, and each case of a parameterised test, runs in a scope of
    /// `ApiCenter.withOverrides(_:operation:)`, whose rules apply:
    ///
    /// - Tests that run in parallel do not see each other's overrides, and each test has its own `once` values.
    /// - Tasks, task groups and `async let` see the overrides. `Task.detached`, dispatch queues and threads do not.
    /// - What the test itself registers, replaces or removes takes effect in its scope only.
    /// - A suite passes its overrides on to the suites inside it. If a test, or a suite inside the suite, overrides the
    ///   same Api, the inner override wins.
    ///
    /// Thread-safe: each test runs `overrides` anew, so the closure may run on several threads concurrently.
    ///
    /// - Parameters:
    ///   - center: The center that the tested code uses; by default, `ApiCenter.shared`.
    ///   - overrides: Registers the fakes, and removes Apis, for the test alone. It receives the center, so a module may
    ///     register there: `.apis { CheckoutModule().register(in: $0) }`. An error that it throws fails the test.
    public static func apis(
        of center: ApiCenter = .shared, _ overrides: @escaping @Sendable (ApiCenter) throws -> Void
    ) -> Self { Self(center: center, overrides: overrides) }
}
