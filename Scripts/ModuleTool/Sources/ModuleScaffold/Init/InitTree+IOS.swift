import ModuleEdits

// An app for iOS in an empty folder: its entry and its window in SwiftUI, and a first pair with a screen and a preview.
extension InitTree {
    /// The packages that only the first pair uses.
    static let packagesOfScreens = ["Links"]
    /// The packages that the first pair and the library with the app's entry use.
    static let packagesOfUI = ["Pages", "Screens"]

    /// The product and the target of the library with the app's entry, for the root manifest.
    func library(_ app: String, in sources: String) -> (product: String, target: String) {
        let products = Self.products(
            ["ApiCenter", HousePackages.launch, "Lifecycle", HousePackages.routes] + Self.packagesOfUI)
        return (
            ".library(name: \"\(app)UI\", targets: [\"\(app)UI\"]),\n        ",
            """

                    // The app in SwiftUI, which a target of an Xcode project starts. Empty on Linux.
                    .target(
                        name: "\(app)UI",
                        dependencies: ["AppModules", \(products)] + apis,
                        path: "\(sources)/\(app)UI"),
            """
        )
    }

    /// Adds the sources of the app and of the pair's screen.
    ///
    /// - Parameters:
    ///   - sources: The folder of the app's sources.
    ///   - pair: The templates of the first pair.
    func addScreens(of app: String, in sources: String, _ pair: ModuleTemplates, to start: inout Start) {
        let (configuration, folder, names) = (
            pair.configuration, pair.folder, Self.packagesOfScreens + Self.packagesOfUI
        )
        let (name, apiFolder) = (pair.name, configuration.api(folder))
        let values = pair.values(
            packages: [.path(apiFolder)] + names.compactMap { start.packages.sources[$0] },
            products: [configuration.api(name)] + names
        ).merging(["Route": name.lowercased(), "property": name.lowercased()]) { $1 }
        let ofApp = ["Name": app, "Api": configuration.api(name), "Pair": name]
        let ui = "\(sources)/\(app)UI"
        let (imp, previews) = ("\(folder)/Sources/\(name)", "\(folder)/Tests/\(name)Previews")
        for (path, template, values) in [
            ("\(folder)/Package.swift", PackageResources.IOSManifest_template, values),
            (
                "\(apiFolder)/Sources/\(configuration.api(name))/\(name)Route.swift",
                PackageResources.IOSRoute_template, values
            ),
            ("\(imp)/\(configuration.moduleType(name)).swift", PackageResources.IOSModule_template, values),
            ("\(imp)/\(name)Page.swift", PackageResources.IOSPage_template, values),
            ("\(imp)/\(name)Screen.swift", PackageResources.IOSScreen_template, values),
            ("\(previews)/\(name)Previews.swift", PackageResources.IOSPreviews_template, values),
            ("\(ui)/\(app)App.swift", PackageResources.IOSApp_template, ofApp),
            ("\(ui)/\(app)Window.swift", PackageResources.IOSWindow_template, ofApp),
        ] { start.files[path] = ModuleTemplates.filled(template, values) }
        start.files[Self.workflow]? += ModuleTemplates.filled(PackageResources.IOSWorkflow_template, ofApp)
        start.routes = [name: ["\(name)Route.main"]]
    }
}
