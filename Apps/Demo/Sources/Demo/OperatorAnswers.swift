import Digests
import Foundation
import Loopback
import Synchronization

/// Responds to the requests that the operator's server receives.
final class OperatorAnswers: Sendable {
    private let banner: URL?
    let wallets = OperatorWallets()
    private let signatures = OperatorSignatures(key: OperatorServer.key)
    private let now: @Sendable () -> Date
    /// The expiry time of each issued token.
    private let tokens = Mutex<[String: Date]>([:])
    let renewals = Mutex(0)

    init(banner: URL?, now: @escaping @Sendable () -> Date) {
        (self.banner, self.now) = (banner, now)
    }

    /// Responds to a request, and returns whether the connection stays open.
    func answer(_ request: LoopbackServer.Request, on connection: LoopbackServer.Connection) -> Bool {
        guard signatures.accept(request) else {
            return connection.answer("{}", status: 403)
        }
        switch (request.method, request.path) {
        case ("POST", "/user/login"):
            let passenger = OperatorServer.passenger
            guard request.parameters == ["phone": passenger.phone, "password": passenger.password] else {
                return connection.answer(
                    #"{"code": 1002, "desc": "wrong number or password", "data": null}"#)
            }
            return connection.success(#"{"id": "u-2746", "name": "Li Lei", "token": "\#(newToken())"}"#)
        case ("POST", "/user/token"):
            // The operator recognises the passenger of every token that it has issued, even if the token has expired.
            guard request.token?.hasPrefix(Self.tokenStart) == true else {
                return connection.answer("{}", status: 401)
            }
            renewals.withLock { $0 += 1 }
            return connection.success(#"{"token": "\#(newToken())"}"#)
        case ("GET", "/wallet"):
            guard accepts(request.token) else { return connection.answer("{}", status: 401) }
            return connection.answer { () throws(OperatorWallets.Refusal) in wallets.wallet }
        case ("POST", "/wallet/selected"):
            guard accepts(request.token) else { return connection.answer("{}", status: 401) }
            return connection.answer { () throws(OperatorWallets.Refusal) in
                try wallets.select(request.parameters["id"] ?? "")
            }
        case ("POST", "/payments"):
            guard accepts(request.token) else { return connection.answer("{}", status: 401) }
            let sent = request.parameters
            return connection.answer { () throws(OperatorWallets.Refusal) in
                try wallets.pay(
                    key: sent["key"] ?? "", exit: sent["exit"] ?? "",
                    claim: (sent["from"] ?? "", sent["to"] ?? ""), device: sent["device"])
            }
        case ("GET", "/home/banner"):
            if let banner { return connection.answer(307, ["Location": banner.absoluteString]) }
            return connection.success(
                #"{"title": "Ride to the harbour this spring", "link": "metro.example/spring"}"#)
        case ("GET", "/journeys/statement"):
            guard accepts(request.token) else { return connection.answer("{}", status: 401) }
            return sendStatement(from: request.rangeStart, on: connection)
        case ("GET", let path) where path.hasPrefix("/gates/") && path.hasSuffix("/events"):
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + "data: opened\n\ndata: closed\n\n")
            return false
        default: return connection.answer("{}", status: 404)
        }
    }

    /// Sends the statement from a byte offset. If the client requests the whole statement, sends only the first half
    /// and closes the connection.
    private func sendStatement(from start: Int?, on connection: LoopbackServer.Connection) -> Bool {
        let statement = Data(wallets.statement.map { $0 + "\n" }.joined().utf8)
        // A partial file is continued only while the statement is the same.
        let fields = ["Content-Type": "text/plain; charset=utf-8", "ETag": "\"\(Digest.sha256(statement))\""]
        if let start, start < statement.count {
            let range = "bytes \(start)-\(statement.count - 1)/\(statement.count)"
            return connection.answer(
                206, fields.merging(["Content-Range": range]) { $1 }, statement[start...])
        }
        let head = fields.merging(["Content-Length": "\(statement.count)"]) { $1 }
        let lines = head.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        connection.send(
            Data("HTTP/1.1 200 OK\r\n\(lines)\r\n".utf8) + statement.prefix(statement.count / 2))
        return false
    }

    private static let tokenStart = "t-8fd1-"

    private func newToken() -> String {
        let token = Self.tokenStart + UUID().uuidString
        tokens.withLock { $0[token] = now() + OperatorServer.tokenLifetime }
        return token
    }

    private func accepts(_ token: String?) -> Bool {
        token.flatMap { token in tokens.withLock { $0[token] } }.map { $0 > now() } ?? false
    }
}

extension LoopbackServer.Request {
    /// The session token that the request carries.
    fileprivate var token: String? {
        guard let field = fields["authorization"], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst("Bearer ".count))
    }

    /// The parameters in the request's body.
    fileprivate var parameters: [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: body)) ?? [:]
    }

    /// The start of the range that the client requests; nil for the whole file.
    fileprivate var rangeStart: Int? {
        fields["range"]?.wholeMatch(of: /bytes=(\d+)-/).flatMap { Int($0.1) }
    }
}

extension LoopbackServer.Connection {
    fileprivate func answer(_ json: String, status: Int = 200) -> Bool {
        answer(status, ["Content-Type": "application/json"], Data(json.utf8))
    }

    /// Sends the value, or the refusal, in the operator's envelope.
    fileprivate func answer<Value: Encodable>(
        _ value: () throws(OperatorWallets.Refusal) -> Value
    ) -> Bool {
        do throws(OperatorWallets.Refusal) {
            let value = try value()
            guard let data = try? JSONEncoder().encode(value) else { return answer("{}", status: 500) }
            return success(String(decoding: data, as: UTF8.self))
        } catch {
            return answer(#"{"code": \#(error.code), "desc": "refused", "data": null}"#)
        }
    }

    /// Sends a success response in the operator's envelope.
    fileprivate func success(_ data: String) -> Bool {
        answer(#"{"code": 0, "desc": "ok", "data": \#(data)}"#)
    }
}
