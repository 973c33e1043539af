import Foundation
import PackagePlugin

/// `swift package modules ...`: starts the tool with its launcher, which builds the tool once for all packages of a
/// user.
@main
struct Plugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        // ModuleTool is either the package that runs the command, or one of its dependencies.
        let packages = [context.package] + context.package.dependencies.map(\.package)
        guard let tool = packages.first(where: { $0.displayName == "ModuleTool" }) else {
            return Diagnostics.error(
                "the package \(context.package.displayName) does not depend on ModuleTool")
        }
        let process = Process()
        process.executableURL = tool.directoryURL.appending(path: "launch")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "MODULETOOL_ROOT": context.package.directoryURL.path,
                "MODULETOOL_COMMAND": "swift package modules",
            ]) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
    }
}
