import Foundation

/// A folder for one test's files, gone with this object.
///
/// Something that the test has started may still write then, and so make the folder anew. So all folders of a process
/// lie in one, which goes when the process exits. (A process that is killed, or crashes, leaves it. A test that expects
/// as much of another process hands that one a folder of its own.)
///
/// All operations are safe from every thread; what the files hold is the test's affair.
public final class TemporaryFolder: Sendable {
    private static let all: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
        return FileManager.default.temporaryDirectory.appending(
            path: "Tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    }()

    /// Where it is.
    public let url: URL

    /// An empty folder.
    ///
    /// - Throws: What making it throws.
    public init() throws {
        url = Self.all.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Where it is.
    public var path: String { url.path }

    /// What lies in it, not in folders of its own, in order.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// All files in it, at whatever depth.
    public var files: [URL] {
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.allObjects
        return (all as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    }

    /// Where a file of this name is, or would be.
    public func file(_ name: String) -> URL { url.appending(path: name) }

    /// What a file holds.
    ///
    /// - Throws: What reading it throws.
    public func text(_ name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8)
    }

    /// Makes a file hold this.
    ///
    /// - Parameters:
    ///   - text: What it holds then.
    ///   - name: The file's name, in this folder.
    /// - Throws: What writing it throws.
    public func write(_ text: String, to name: String) throws {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
    }
}
