import APIService
import ApiCenter
import AppModules
import GreetingApi
import Launch
import Routes

let (center, routes) = (ApiCenter(), Routes())
center.register(Routes.self) { routes }
let network = APIService()
center.register(APIService.self) { network }
for (module, patterns) in Registrations.routes { try routes.declareRoutes(patterns, module: module) }
let app = try ModularApp(Registrations.modules, center: center, links: AppLinks(routes.table))
for line in await app.launch().failureLines { print(line) }

// An argument is a link from outside: swift run Acme "greeting?name=Ann"
if let link = CommandLine.arguments.dropFirst().first {
    print(try await app.open(link).value ?? "\(link) has no value.")
} else {
    print(center.api(type: GreetingApiProtocol.self)?.introduction() ?? "Greeting is not in this app.")
}
