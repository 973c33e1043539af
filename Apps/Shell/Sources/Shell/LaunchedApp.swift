import AppModules
import Demo
import Launch

/// An app that has launched, with its services and the report on its launch.
struct LaunchedApp {
    let app: ModularApp
    let services: AppServices
    let launch: LaunchReport

    /// The app for Demo's reports and browser.
    func demo(of day: SampleDay) -> DemoApp {
        DemoApp(
            day: day, app: app, launch: launch, names: Registrations.names, routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage)
    }
}
