import APIService
import ErrorCode

/// Asks the operator's server to compute the fare of a ride and to take it. The server takes a fare once for each key, and
/// repeats its answer.
public struct PaymentRequest: TransitRequest {
    /// The server's answer: the fare, and what the payment left.
    public struct Payload: Decodable, Sendable {
        /// The fare, in cents.
        public let cents: Int
        /// The payment method that was charged.
        public let paidWith: String
        /// The passenger's prepaid balance after the payment, in cents.
        public let balance: Int
    }

    public let path = "/payments"
    public let method = APIRequestMethod.post
    public let encoding: any APIParameterEncoding = APIJSONEncoding.default
    public let parameters: APIParameters?
    public let requiredUser: String?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - passenger: The passenger who pays. If another one is logged in, the request is not sent.
    ///   - key: The key of the passage through the gate where the ride began, which is also the key of the ride.
    ///   - exit: The key of the passage through the gate where the ride ended.
    ///   - from: The station where the ride began, for an operator without reports of its gates.
    ///   - to: The station where the ride ended, likewise.
    ///   - device: The device to charge, such as `phone`; nil for the passenger's selected payment method.
    public init(
        of passenger: String, key: String, exit: String, from: String, to: String, device: String? = nil
    ) {
        var parameters: APIParameters = [
            "key": .init(key), "exit": .init(exit), "from": .init(from), "to": .init(to),
        ]
        if let device { parameters["device"] = .init(device) }
        self.parameters = parameters
        requiredUser = passenger
    }
}
