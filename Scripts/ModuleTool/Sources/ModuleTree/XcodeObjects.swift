import Foundation

/// The objects of a `project.pbxproj`, by identifier. Xcode writes this file as an OpenStep property list.
struct XcodeObjects: Decodable {
    let rootObject: String
    let objects: [String: Object]

    /// The fields that the tool uses, for objects of all kinds.
    struct Object: Decodable {
        let isa, name, path, sourceTree: String?
        let mainGroup, projectDirPath: String?
        let productType, productReference, buildConfigurationList: String?
        let fileRef, productRef, productName, target, targetProxy: String?
        let package, relativePath, repositoryURL: String?
        let containerPortal, remoteRef, remoteInfo: String?
        let children, targets, files, buildPhases, dependencies, packageProductDependencies: [String]?
        let buildConfigurations, fileSystemSynchronizedGroups, exceptions, membershipExceptions: [String]?
        let buildSettings: Settings?
    }

    struct Settings: Decodable {
        let productModuleName, productName: String?

        private enum CodingKeys: String, CodingKey {
            case productModuleName = "PRODUCT_MODULE_NAME"
            case productName = "PRODUCT_NAME"
        }
    }

    static func read(_ bytes: [UInt8], in file: String) throws(ToolError) -> XcodeObjects {
        do { return try PropertyListDecoder().decode(Self.self, from: Data(bytes)) } catch {
            throw ToolError(
                .configuration, at: file, reason(error),
                why: "this file lists the targets of the app and their files",
                fix: "resolve merge conflicts in the file, and open the project in Xcode")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let context = (error as? DecodingError)?.context else {
            return "not an Xcode project: \(error)"
        }
        let cause = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return "not an Xcode project: " + (path.isEmpty ? "" : path + ": ")
            + (cause ?? context.debugDescription)
    }

    subscript(id: String?) -> Object? { id.flatMap { objects[$0] } }

    /// The objects of a list, with their identifiers.
    func all(_ ids: [String]?) -> [(id: String, object: Object)] {
        (ids ?? []).compactMap { id in objects[id].map { (id, $0) } }
    }

    /// The paths of files and groups by identifier, relative to the folder of the project. Paths in the build
    /// folder or in an SDK are left out.
    func paths(below folder: String) -> [String: String] {
        var paths: [String: String] = [:]
        var open = [(id: self[rootObject]?.mainGroup ?? "", folder: folder)]
        while let (id, parent) = open.popLast() {
            guard paths[id] == nil, let object = objects[id] else { continue }
            switch object.sourceTree ?? "<group>" {
            case "<group>": paths[id] = PathText.join(parent, object.path ?? "")
            case "SOURCE_ROOT": paths[id] = PathText.join(folder, object.path ?? "")
            default: continue
            }
            open += (object.children ?? []).map { ($0, paths[id] ?? parent) }
        }
        return paths
    }

    /// The first line of each object.
    func positions(in bytes: [UInt8]) -> [String: Position] {
        var positions: [String: Position] = [:]
        for (line, text) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard let start = text.firstIndex(where: { $0 != 0x09 && $0 != 0x20 }), text.contains(0x7B) else {
                continue
            }
            let word = text[start...].prefix { $0 != 0x20 && $0 != 0x3D }
            let id = String(decoding: word, as: UTF8.self).trimmingCharacters(in: ["\""])
            if objects[id] != nil, positions[id] == nil {
                positions[id] = Position(line: line + 1, column: start - text.startIndex + 1)
            }
        }
        return positions
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
