import ApiCenter
import MenuApi

let app = try await launchModules()
print(ApiCenter.shared.api(type: MenuApiProtocol.self)?.text() ?? "This build has no menu.")
