import ApiCenter
import MenuApi

let host = try await launchModules()
print(ApiCenter.shared.api(type: MenuApiProtocol.self)?.text() ?? "This build has no menu.")
