import ArgumentParser
import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

/// The names that a shell completes; none if the tree cannot be read.
extension CompletionKind {
    static var pairs: CompletionKind { names { try TreeRoot($0).pairNames() } }

    static var packages: CompletionKind {
        names { try TreeReader(root: $0.path, caching: .user).read().packages.map(\.name) }
    }

    static var rules: CompletionKind { .list(RuleGroup.allCases.map(\.rawValue) + RuleBook.all.map(\.id)) }

    private static func names(_ read: @escaping @Sendable (URL) throws -> [String]) -> CompletionKind {
        .custom { _, _, _ in
            (try? read(URL(filePath: TreeOptions.rootPath(), directoryHint: .isDirectory))) ?? []
        }
    }
}
