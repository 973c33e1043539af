import Foundation

/// A temporary folder for the files of one test, deleted when this object is deallocated.
///
/// Code that the test started may still write files after the deletion, and so create the folder again.
/// Therefore, all folders of a process have one parent folder, which is deleted when the process exits. (A
/// process that is killed or crashes leaves the parent folder behind. A test that kills another process
/// should therefore create that process's folder itself.)
///
/// All operations are thread-safe, but concurrent writes to one file are not synchronised.
public final class TemporaryFolder: Sendable {
    private static let all: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
        return FileManager.default.temporaryDirectory.appending(
            path: "Tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    }()

    /// The location of the folder.
    public let url: URL

    /// Creates an empty folder.
    ///
    /// - Throws: An error if the folder cannot be created.
    public init() throws {
        url = Self.all.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of the folder.
    public var path: String { url.path }

    /// The names of the files and folders directly inside, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// All files in the folder and its subfolders.
    public var files: [URL] {
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.allObjects
        return (all as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    }

    /// The location of a file with this name, whether or not the file exists.
    public func file(_ name: String) -> URL { url.appending(path: name) }

    /// Returns the text of a file.
    ///
    /// - Throws: An error if the file cannot be read.
    public func text(_ name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8)
    }

    /// Writes a string to a file, replacing its contents.
    ///
    /// - Parameters:
    ///   - text: The new contents.
    ///   - name: The name of the file in this folder.
    /// - Throws: An error if the file cannot be written.
    public func write(_ text: String, to name: String) throws {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
    }
}
