import AppModules
import Launch

/// An app that has launched, with its services and the report on its launch.
struct LaunchedApp {
    let app: ModularApp
    let services: AppServices
    let launch: LaunchReport
}
