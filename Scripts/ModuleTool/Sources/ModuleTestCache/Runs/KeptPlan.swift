import Foundation
import ModuleBytes
import ModuleKit

/// The plan that SwiftPM keeps in a build folder, and a record of what it was made from.
///
/// The record exists only after a successful build, and counts only while SwiftPM's files are those of that build.
struct KeptPlan {
    private let record: String, plan: [String], owner: String, products: String

    /// - Parameter scratch: The absolute path of the build folder.
    init(in scratch: String, _ configuration: String) {
        record = "\(scratch)/modules-plan-of-\(configuration)"
        plan = ["\(scratch)/\(configuration).yaml", "\(scratch)/\(configuration)/description.json"]
        owner = "\(scratch)/.lock"
        products = "\(scratch)/\(configuration)"
    }

    /// The record of the present plan if it was made from inputs with this digest; nil if SwiftPM keeps no plan.
    private func text(_ digest: String) -> String? {
        guard let times else { return nil }
        // Only planning writes into these folders what a build needs.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: products)) ?? []
        let targets = SHA256.hex(
            Array(folders.filter { $0.hasSuffix(".build") }.sorted().joined(separator: "/").utf8))
        return ([digest, targets] + times.map { "\($0.modified) \($0.changed)" }).joined(separator: "\n")
    }

    /// Whether the present plan was made from inputs with this digest.
    func isMade(from digest: String) -> Bool {
        let text = text(digest)
        return text != nil && (try? String(contentsOfFile: record, encoding: .utf8)) == text
    }

    /// What identifies the plan in the build folder; nil if there is none.
    var times: [FileTimes]? {
        let times = plan.compactMap(FileTimes.init)
        return times.count == plan.count ? times : nil
    }

    /// Deletes the record.
    func forget() throws {
        if FileManager.default.fileExists(atPath: record) {
            try FileManager.default.removeItem(atPath: record)
        }
    }

    /// Writes the record, unless another build may have replaced the plan: SwiftPM writes the number of its process into
    /// the build folder before it plans.
    ///
    /// - Parameter process: The process of the build that has ended.
    func keep(_ digest: String, by process: Int32) throws {
        let text = text(digest)
        let last = try? String(contentsOfFile: owner, encoding: .utf8)
        guard let text, last == String(process) else { return }
        try text.write(toFile: record, atomically: true, encoding: .utf8)
    }
}
