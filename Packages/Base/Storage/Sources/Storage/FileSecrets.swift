import Foundation
import Locking

/// Stores each secret in a file `NAME.secret`, in a folder that only this user can access: the folder has mode 0700,
/// each file 0600. The files are not encrypted. This type is meant for systems without a Keychain, and for
/// command-line programs.
///
/// Each change is atomic and durable. Only one process at a time may use the folder. (The lock of a
/// ``Storage`` ensures this for the secrets in its folder.)
public final class FileSecrets: Secrets {
    private let folder: URL
    /// Held during a change, because changes to the same secret must not overlap.
    private let turn = Locked(())

    /// Creates a store in a folder. Storing a secret creates the folder if it is missing, and removes other users'
    /// access to the folder.
    public init(folder: URL) { self.folder = folder }

    /// Returns the secret with this name, or nil if no secret has this name.
    public func secret(_ name: String) throws(StorageError) -> Data? {
        let file = try file(name)
        do {
            return try Data(contentsOf: file)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw .unreadable(file.path, "\(error.localizedDescription)")
        }
    }

    /// Stores or replaces a secret; nil removes it.
    public func setSecret(_ secret: Data?, name: String) throws(StorageError) {
        let file = try file(name)
        try turn.withLock { (_) throws(StorageError) in
            do {
                if let secret {
                    try DurableFile.makeFolder(folder)
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o700], ofItemAtPath: folder.path)
                    // An interrupted change may have left a file with other permissions.
                    DurableFile.removeIfThere(file.appendingPathExtension("writing"))
                    try DurableFile.replace(file, with: secret)
                } else {
                    // An interrupted change may have left a temporary file that also contains the secret. That file is
                    // removed first, so that a failure leaves the secret unchanged.
                    let files = [file.appendingPathExtension("writing"), file].filter(DurableFile.isThere)
                    for file in files { try DurableFile.remove(file) }
                    if !files.isEmpty { try DurableFile.sync(folder: folder) }
                }
            } catch {
                throw .notWritten(file.path, "\(error)")
            }
        }
    }

    private func file(_ name: String) throws(StorageError) -> URL {
        guard StorageError.isGood(name: name) else { throw .badName(name) }
        return folder.appending(path: "\(name).secret")
    }
}
