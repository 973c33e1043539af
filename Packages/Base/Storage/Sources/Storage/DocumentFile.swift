import Foundation
import Locking

/// The state that the documents of a ``Storage`` share: their files, and the files that were set aside.
final class DocumentFiles: Sendable {
    let files: any StorageFiles
    let unreadable: Storage.Unreadable
    let setAside = Locked([Storage.SetAside]())

    init(_ files: any StorageFiles, unreadable: Storage.Unreadable) {
        (self.files, self.unreadable) = (files, unreadable)
    }
}

/// A document's file. It is read and written only inside ``StorageFiles/operation(orThrow:_:)``.
struct DocumentFile<Value: Codable & Sendable>: Sendable {
    /// A value, and the digest of the file that contains it.
    struct Content: Sendable {
        var value: Value
        /// The digest of the file's bytes; nil if there is no file.
        var digest: String?
    }

    let name: String
    let version: Int
    /// The value if the file is missing.
    let initial: Value
    let migrations: [Migration<Value>]
    let protection: FileProtectionType?
    let shared: DocumentFiles

    var files: any StorageFiles { shared.files }
    private var form: DocumentForm { DocumentForm(name: name, version: version, path: files.path(name)) }

    /// Reads the file. A file that this app cannot read is set aside if the storage was opened with `.setAside`.
    ///
    /// - Parameter known: The content that was last read or written. If the file still has the same digest, this
    ///   content is returned, including the parts of the value that are not encoded in the file.
    func read(unlessUnchanged known: Content? = nil) throws(StorageError) -> Content {
        do throws(StorageError) {
            let data = try files.read(name)
            let digest = data.map(DocumentForm.checksum)
            if let known, known.digest == digest { return known }
            return Content(value: try data.map(value) ?? initial, digest: digest)
        } catch {
            guard shared.unreadable == .setAside, error.code != .unreadable else { throw error }
            let file = try files.setAside(name)
            shared.setAside.withLock { $0.append(Storage.SetAside(file: file, reason: error)) }
            return Content(value: initial)
        }
    }

    /// Replaces the file, and returns the digest of its new bytes.
    func write(_ value: Value) throws(StorageError) -> String {
        let data = try form.data(of: value)
        try files.write(data, name, protection: protection)
        return DocumentForm.checksum(data)
    }

    private func value(in data: Data) throws(StorageError) -> Value {
        try form.value(in: data, migrations: migrations)
    }
}
