import Foundation

/// The files and packages below a folder.
struct FileListing: Sendable {
    /// The Swift files except manifests and samples in DocC catalogues: paths relative to the root, sorted.
    private(set) var swiftFiles: [String] = []

    /// All other files except manifests named `Package.swift`, unsorted.
    private(set) var otherFiles: [String] = []

    /// The folders that contain a `Package.swift`, relative to the root and sorted; "" for the root.
    private(set) var packages: [String] = []

    /// The manifests for other Swift versions, such as `Package@swift-6.0.swift`, by package folder.
    private(set) var versionedManifests: [String: [String]] = [:]

    /// Lists the files below a folder, except hidden files and hidden folders such as `.build`.
    ///
    /// - Throws: ``TreeError`` if a folder cannot be listed.
    init(root: String) throws {
        guard list(root, folder: "") else {
            throw TreeError(
                .configuration, root, what: "is not a readable folder",
                why: "the tool reads the tree from its root", mend: "give another folder with --root")
        }
        var waiting = pending
        while let folder = waiting.popLast() {
            pending = []
            guard list(root, folder: folder) else {
                // Ignores a folder that was deleted in the meantime.
                if errno == ENOENT { continue }
                throw TreeError.unreadable(folder, root: root)
            }
            waiting += pending
        }
        pending = []
        swiftFiles.sort()
        packages.sort()
    }

    private var pending: [String] = []

    /// Lists one folder. Returns false if it cannot be opened; `errno` then says why.
    private mutating func list(_ root: String, folder: String) -> Bool {
        // The type of the stream differs between Linux and Apple platforms, so nothing here names it.
        guard let stream = unsafe opendir(folder.isEmpty ? root : root + "/" + folder) else { return false }
        defer { unsafe closedir(stream) }
        // DocC catalogues contain sample code that no target compiles.
        let isDocumentation = "/\(folder)/".contains(".docc/")
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder.isEmpty ? name : folder + "/" + name
            var isFolder = unsafe entry.pointee.d_type == UInt8(DT_DIR)
            if unsafe entry.pointee.d_type == UInt8(DT_UNKNOWN) || entry.pointee.d_type == UInt8(DT_LNK) {
                var status = stat()
                // Links are not followed, because they could form a cycle.
                isFolder = unsafe lstat(root + "/" + path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            if isFolder {
                pending.append(path)
            } else if isDocumentation {
                otherFiles.append(path)
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
        return true
    }
}
