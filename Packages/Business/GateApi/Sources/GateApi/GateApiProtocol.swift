/// Gate's interface for other modules: the operator's side of a ride. It issues ride codes, and lets a passenger
/// through a gate once for each code.
///
/// All methods are thread-safe, and concurrent calls take effect one after the other. If the Gate is on another
/// machine, a call or its response can be lost. In that case, a method that is marked "Idempotent" may be called again.
public protocol GateApiProtocol: Sendable {
    /// Returns the passenger's current code if a gate would still accept it, otherwise a new one.
    ///
    /// - Idempotent: a repeat returns the same code while that code is valid.
    /// - Throws: ``GateApiError/notSaved(_:)`` or ``GateApiError/unreachable(_:)``.
    func code(for passenger: String) async throws(GateApiError) -> GateCode

    /// Issues a new code, which replaces the passenger's current code: from then on, gates refuse the old one.
    ///
    /// - Idempotent: a repeat replaces the code once more, and the passenger shows only the code from the last
    ///   response.
    /// - Throws: ``GateApiError/notSaved(_:)`` or ``GateApiError/unreachable(_:)``.
    func newCode(for passenger: String) async throws(GateApiError) -> GateCode

    /// Expires the passenger's current code early, for example when the passenger logs out. Does nothing if the
    /// passenger has no valid code.
    ///
    /// - Idempotent: a repeat finds no valid code, and does nothing.
    /// - Throws: ``GateApiError/notSaved(_:)`` or ``GateApiError/unreachable(_:)``.
    func expireCode(of passenger: String) async throws(GateApiError)

    /// Redeems a code at a station: the gate lets the passenger through. A code opens one gate once, even if many
    /// gates read it at the same time.
    ///
    /// - Idempotent: a repeat with the same code and key returns the first call's passage, and opens nothing.
    /// - Parameters:
    ///   - code: The scanned or typed text. Surrounding white space and letter case are ignored.
    ///   - passenger: The passenger who shows the code.
    ///   - station: The station of the gate.
    ///   - key: A unique key for this attempt to pass, such as a new UUID. Gate remembers the key for at most a day
    ///     after the code's expiry; a ledger may forget it earlier.
    /// - Throws: ``GateApiError``. A refused code changes nothing, but after ``GateApiError/notSaved(_:)`` or
    ///   ``GateApiError/unreachable(_:)`` the passage may have used the code: repeat the call. If several reasons for a
    ///   refusal apply, the earliest one is thrown: a code that was used and has since expired throws
    ///   ``GateApiError/codeUsed``.
    func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage

    /// The passages at a station from now on, once the operator has their reports. If several Gates share a ledger, a
    /// passage is streamed by the Gate whose call has reported it. A crash between the report and the stream loses it.
    ///
    /// Only one loop may read the stream. A loop that is more than 100 passages behind misses the oldest ones. The
    /// stream ends when the Gate is deallocated.
    ///
    /// - Throws: ``GateApiError/unreachable(_:)``, from this method or from the loop.
    func passages(at station: String) async throws(GateApiError) -> AsyncThrowingStream<
        GatePassage, any Error
    >
}
