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
        let folders = Command.names(in: products)
        let targets = SHA256.hex(
            Array(folders.filter { $0.hasSuffix(".build") }.sorted().joined(separator: "/").utf8))
        return ([digest, targets] + times.map { "\($0.modified) \($0.changed)" }).joined(separator: "\n")
    }

    /// What the record says about the present plan.
    enum Knowledge {
        /// The plan may have been made from other inputs.
        case unknown
        /// The plan was made from these inputs, by a build that had to plan. SwiftPM's own record of the inputs is older, so
        /// it plans once more in the next build, whatever plan it finds.
        case made
        /// The plan was made from these inputs, as SwiftPM's own record says, too: the next build keeps it.
        case used
    }

    func knowledge(of digest: String) -> Knowledge {
        guard let text = text(digest), let record = try? String(contentsOfFile: record, encoding: .utf8)
        else { return .unknown }
        return record == text ? .made : record == text + Self.used ? .used : .unknown
    }

    private static let used = "\nused"

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
    /// - Parameters:
    ///   - process: The process of the build that has ended.
    ///   - isUsed: Whether the build was allowed to keep its plan, so that SwiftPM has renewed its own record.
    func keep(_ digest: String, by process: Int32, isUsed: Bool) throws {
        let text = text(digest)
        let last = try? String(contentsOfFile: owner, encoding: .utf8)
        guard let text, last == String(process) else { return }
        try (text + (isUsed ? Self.used : "")).write(toFile: record, atomically: true, encoding: .utf8)
    }
}
