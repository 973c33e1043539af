import Mediator

/// Installs the modules' actions. The app shell calls this at launch.
func installModules(in mediator: Mediator) throws {
    try mediator.install(OldWebViewModule.links)
    try mediator.install(WebViewModule.links)
}
