import Mediator

/// Installs the modules' actions. The app shell calls this at launch.
func installModules(in mediator: Mediator) throws {
    try mediator.install(YaoWangWebViewModule.links)
    try mediator.install(HybridWebViewModule.links)
    try mediator.install(CartDemandModule.links)
}
