import Foundation

/// The files and packages of a folder.
struct FileListing: Sendable {
    /// Paths relative to the root, sorted.
    private(set) var swiftFiles: [String] = []

    /// Those of other kinds, in no order.
    private(set) var otherFiles: [String] = []

    /// The folders that hold a `Package.swift`, relative to the root; "" for the root.
    private(set) var packages: [String] = []

    /// Of these, those that have manifests for other Swift versions, such as `Package@swift-6.0.swift`, too: the
    /// files.
    private(set) var versionedManifests: [String: [String]] = [:]

    /// Hidden folders, and with them every build folder, are left out.
    ///
    /// - Throws: ``TreeError`` when a folder cannot be listed.
    init(root: String) throws {
        guard let rootStream = unsafe opendir(root) else {
            throw TreeError(
                .configuration, root, what: "is not a folder that can be read",
                why: "the tool reads the tree from its root", mend: "give another folder with --root")
        }
        unsafe list(rootStream, root: root, folder: "")
        var waiting = pending
        while let folder = waiting.popLast() {
            guard let stream = unsafe opendir(root + "/" + folder) else {
                // A folder that disappears meanwhile is as good as never there.
                if errno == ENOENT { continue }
                throw TreeError.unreadable(folder, root: root)
            }
            pending = []
            unsafe list(stream, root: root, folder: folder)
            waiting += pending
        }
        pending = []
        swiftFiles.sort()
        packages.sort()
    }

    private var pending: [String] = []

    private mutating func list(_ stream: OpaquePointer, root: String, folder: String) {
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder.isEmpty ? name : folder + "/" + name
            var isFolder = unsafe entry.pointee.d_type == UInt8(DT_DIR)
            if unsafe entry.pointee.d_type == UInt8(DT_UNKNOWN) || entry.pointee.d_type == UInt8(DT_LNK) {
                var status = stat()
                // Links are not followed: they could lead in circles.
                isFolder = unsafe lstat(root + "/" + path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            if isFolder {
                pending.append(path)
            } else if name == "Package.swift" {
                packages.append(folder)
            } else if name.hasPrefix("Package@swift-"), name.hasSuffix(".swift") {
                versionedManifests[folder, default: []].append(path)
                otherFiles.append(path)
            } else if name.hasSuffix(".swift") {
                swiftFiles.append(path)
            } else {
                otherFiles.append(path)
            }
        }
    }
}
