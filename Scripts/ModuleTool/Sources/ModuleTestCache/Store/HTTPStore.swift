import Foundation
import ModuleKit

/// A store on a server that speaks the HTTP protocol of Bazel's remote caches: GET and PUT of `/ac/KEY`. Examples are
/// bazel-remote, nginx with WebDAV, and a bucket.
///
/// `curl` speaks HTTP, because the HTTP client of Foundation ends the process on some answers on Linux. After the first
/// answer that makes no sense, or that does not come, nothing is asked any more: a server that is down delays a run once.
package struct HTTPStore: ResultStore {
    /// The variable whose value is sent as a bearer token.
    package static let tokenVariable = "MODULES_TEST_TOKEN"

    private let address: String
    private let token: String?
    private let limit: Int
    private let warning: FirstWarning

    /// - Parameters:
    ///   - address: The URL that `/ac` is below.
    ///   - token: The bearer token, if the server wants one.
    ///   - limit: The most seconds that a request may take.
    package init(_ address: String, token: String?, limit: Int = 10, warning: FirstWarning) {
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        (self.token, self.limit, self.warning) = (token, limit, warning)
    }

    /// Whether these environment variables say that a pull request is tested. Its author may be unknown, so its results
    /// must not count for others.
    package static func isPullRequest(_ environment: [String: String]) -> Bool {
        if environment["GITHUB_EVENT_NAME"]?.hasPrefix("pull_request") == true { return true }
        return [
            "APPVEYOR_PULL_REQUEST_NUMBER", "BITBUCKET_PR_ID", "BITRISE_PULL_REQUEST",
            "BUILDKITE_PULL_REQUEST",
            "CHANGE_ID", "CIRCLE_PULL_REQUEST", "CIRRUS_PR", "CI_COMMIT_PULL_REQUEST",
            "CI_EXTERNAL_PULL_REQUEST_IID", "CI_MERGE_REQUEST_IID", "CI_PULL_REQUEST_NUMBER",
            "CM_PULL_REQUEST",
            "DRONE_PULL_REQUEST", "SEMAPHORE_GIT_PR_NUMBER", "SYSTEM_PULLREQUEST_PULLREQUESTID",
            "TRAVIS_PULL_REQUEST",
        ].contains { !["", "false"].contains(environment[$0] ?? "") }
    }

    package func record(of key: String) -> PassedTests? {
        guard let answer = request(key, []), answer.status != 404 else { return nil }
        if answer.status == 200, let record = PassedTests(answer.body, of: key) { return record }
        warning.warn("\(address) answers with status \(answer.status) and stores no results")
        return nil
    }

    package func save(_ record: PassedTests) {
        let file = FileManager.default.temporaryDirectory.appending(path: "moduletool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        do { try record.encoded.write(to: file) } catch { return warning.warn("\(file.path): \(error)") }
        guard let answer = request(record.key, ["--upload-file", file.path]) else { return }
        if !(200..<300).contains(answer.status) {
            warning.warn("\(address) stores no results: it answers with status \(answer.status)")
        }
    }

    /// Sends a request; nil if there is no answer.
    private func request(_ key: String, _ arguments: [String]) -> (status: Int, body: Data)? {
        if warning.hasWarned { return nil }
        // The address may contain a password, and other users see the arguments of a process.
        var settings = "url = \(Self.quoted("\(address)/ac/\(key)"))\n"
        if let token { settings += "header = \(Self.quoted("Authorization: Bearer \(token)"))\n" }
        let options = [
            "curl", "--silent", "--show-error", "--config", "-", "--max-time", "\(limit)", "--max-filesize",
            "65536", "--write-out", "\\n%{http_code}",
        ]
        do {
            let output = try Command.run(options + arguments, in: "/", input: Data(settings.utf8))
            let body = output.standardOutput
            if output.status == 0, let end = body.lastIndex(of: UInt8(ascii: "\n")),
                let status = Int(String(decoding: body[(end + 1)...], as: UTF8.self))
            {
                return (status, body[..<end])
            }
            warning.warn("\(address) does not answer and stores no results: \(output.standardError)")
        } catch { warning.warn("\(error)") }
        return nil
    }

    private static func quoted(_ text: String) -> String {
        let safe = text.filter { !$0.isNewline }.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(safe)\""
    }
}
