import ModuleKit
import ModuleTree

extension TreeRoot {
    /// The manifests of the apps, by path, with the entries that their lists of pairs lack. Without a list that can be
    /// edited, the manifests stay as they are.
    package func manifests(listing repairs: [Diagnostic.Repair]) -> [String: String] {
        guard !repairs.isEmpty, var lists = try? pairLists() else { return [:] }
        for case .list(let imp, let owner) in repairs {
            for index in lists.indices {
                let trait =
                    owner == nil ? configuration.sharedTrait(of: imp, in: lists[index].app) : nil
                var list = lists[index]
                // An entry with this name, but another folder, stays a finding.
                guard (try? list.add(folder: imp, alternativeTo: owner, trait: trait)) != nil else {
                    continue
                }
                lists[index] = list
            }
        }
        return Dictionary(lists.map { ($0.app.manifest, $0.text) }) { $1 }.filter { path, text in
            self.textIfAny(path) != text
        }
    }
}

extension Configuration {
    /// The trait that a new pair shares with other pairs of an app; nil for a trait of its own.
    ///
    /// - Parameter folder: The folder of the IMP.
    package func sharedTrait(of folder: String, in app: App) -> String? {
        let group: String? =
            switch app.trait {
            case .pair: nil
            case .layer: layer(containing: folder)?.name
            case .folder: PathText.split(PathText.split(folder).folder).name
            }
        // A trait is also an `#if` condition, so its name must be an identifier.
        return group?.replacing(/\W/, with: "_")
    }
}
