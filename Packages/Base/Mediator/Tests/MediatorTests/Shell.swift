import Mediator

/// Installs the modules' actions. The app shell calls this at launch.
func installModules(in mediator: Mediator) throws {
    try mediator.install(actions: YaoWangWebViewModule.actions)
    try mediator.install(actions: HybridWebViewModule.actions, remote: HybridWebViewModule.remote)
    try mediator.install(targets: CartDemandModule.targets)
}
