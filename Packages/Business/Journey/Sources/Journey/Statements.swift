import APIService
import APITransfers
import Foundation
import Locking
import TransitRequests

/// Downloads the operator's statements of the passengers' journeys. An interrupted download continues where it
/// stopped. Thread-safe.
final class Statements: Sendable {
    /// Requests the statement of the passenger to whom the request's token belongs.
    private struct StatementRequest: APIRequest {
        typealias Response = APIDownloadedFile
        let path = "/journeys/statement"
        let taskType: APIRequestTaskType
        let requiredUser: String?
    }

    /// The age in seconds from which a finished download is a leftover. A download is read and removed when it has ended.
    private static let leftoverAge: TimeInterval = 86_400

    private let network: APIService
    private let folder: URL
    /// The passengers whose statements are being downloaded. Each passenger has one file for the parts received
    /// so far.
    private let downloading = Locked<Set<String>>([])

    /// - Parameter folder: The folder for partial downloads; nil for a temporary one.
    init(network: APIService, folder: URL?) {
        self.network = network
        self.folder = folder ?? .temporaryDirectory.appending(path: UUID().uuidString)
        // A crash leaves the file of a download that has just ended. A newer file may be that of another process.
        let limit = Date(timeIntervalSinceNow: -Self.leftoverAge)
        let files = try? FileManager.default.contentsOfDirectory(
            at: self.folder, includingPropertiesForKeys: [.contentModificationDateKey])
        for file in files ?? []
        where file.lastPathComponent.hasPrefix("statement-") && file.pathExtension != "part" {
            let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
                .contentModificationDate
            if let date, date < limit { try? FileManager.default.removeItem(at: file) }
        }
    }

    /// Downloads a passenger's statement, and returns its lines.
    func lines(of passenger: String) async throws -> [String] {
        let file = folder.appending(path: "statement-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // A second concurrent download for the same passenger starts from the beginning.
        let continues = downloading.withLock { $0.insert(passenger).inserted }
        defer { if continues { downloading.withLock { _ = $0.remove(passenger) } } }
        let name = passenger.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? passenger
        let partial = continues ? folder.appending(path: "statement-\(name).part") : nil
        let request = StatementRequest(
            taskType: .download(APIDownload(to: file, partial: partial)), requiredUser: passenger)
        do {
            _ = try await network.sendRequest(request)
        } catch {
            throw TransitError.network(error)
        }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }
}
