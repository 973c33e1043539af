import Foundation
import Pages

extension ScreenStack {
    /// The addresses of the path and their owner as text, for the time while the app does not run (in SwiftUI,
    /// `@SceneStorage`).
    ///
    /// The text ends before the first screen without an address. It contains the user's identity and the parameters of the
    /// addresses, so modules must not put secrets into the parameters of routes.
    public var text: String {
        let addresses = path.prefix { $0.address != nil }.compactMap(\.address)
        let saved = SavedPath(
            owner: owner, screens: addresses.map { .init(route: $0.route, parameters: $0.parameters) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(saved)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Asks the routes of a text that ``text`` has returned, and then shows their screens in one step.
    ///
    /// Call it when the stack has its first screen and its owner. Has no effect if the path is not empty, such as after a
    /// link, if the text names another user, or if ``text`` has not made it. The path ends before the first screen whose
    /// route fails or whose module is absent. If the user goes elsewhere or logs out meanwhile, nothing is restored.
    ///
    /// - Parameter text: The text.
    public func restore(from text: String) async {
        guard path.isEmpty, let saved = try? JSONDecoder().decode(SavedPath.self, from: Data(text.utf8)),
            saved.owner == owner
        else { return }
        let place = place
        var restored: [StackedScreen] = []
        for saved in saved.screens {
            let address = PageAddress(saved.route, saved.parameters)
            guard let page = try? await answer(of: address) else { break }
            restored.append(screen(page, at: address))
        }
        add(restored, at: place)
    }
}

private struct SavedPath: Codable {
    struct Screen: Codable {
        let route: String
        let parameters: [String: String]
    }

    let owner: String?
    let screens: [Screen]
}
