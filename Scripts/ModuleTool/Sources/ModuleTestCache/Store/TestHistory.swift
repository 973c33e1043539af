import Foundation

/// The inputs with which the test targets of a package last passed in this clone, to explain why one runs again.
package struct TestHistory: Sendable {
    private let folder: URL

    /// - Parameter package: The absolute path of the package. The files are in its build folder.
    package init(package: String) {
        folder = URL(filePath: package, directoryHint: .isDirectory).appending(path: ".build/modules-tests")
    }

    private func file(of target: String) -> URL { folder.appending(path: target + ".json") }

    /// The inputs that differ from those of the last pass, with what happened to each.
    package func changes(of target: TestTarget) -> [String] {
        guard let data = FileManager.default.contents(atPath: file(of: target.name).path),
            let old = try? JSONDecoder().decode([String: String].self, from: data)
        else { return ["has not passed in this clone yet"] }
        return Self.changes(from: old, to: target.inputs)
    }

    static func changes(from old: [String: String], to new: [String: String]) -> [String] {
        Set(old.keys).union(new.keys).sorted().compactMap { name in
            let input = name.trimmingPrefix("/")
            return switch (old[name], new[name]) {
            case (nil, _?): "\(input) is new"
            case (_?, nil): "\(input) is gone"
            case (let old, let new): old == new ? nil : "\(input) has changed"
            }
        }
    }

    /// Keeps the inputs of a target that has passed. Errors are ignored, because only explanations need these files.
    package func save(_ target: TestTarget) {
        guard let data = try? JSONEncoder().encode(target.inputs) else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? data.write(to: file(of: target.name), options: .atomic)
    }
}
