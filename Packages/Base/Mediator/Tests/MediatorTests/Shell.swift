import Mediator

/// Installs the modules' actions. The app shell calls this at launch.
func installModules(in mediator: Mediator) throws {
    try mediator.install(YaoWangWebViewModule.offers)
    try mediator.install(HybridWebViewModule.offers)
    try mediator.install(CartDemandModule.offers)
}
