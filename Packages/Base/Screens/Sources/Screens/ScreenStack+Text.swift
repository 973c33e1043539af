import Foundation
import Pages

extension ScreenStack {
    /// The addresses of the pushed screens and their owner as text, to keep while the window is closed (in SwiftUI,
    /// `@SceneStorage`).
    ///
    /// The text ends before the first screen without an address. It contains the parameters of the addresses, so keep it
    /// where the app keeps the user's data.
    public var text: String {
        let addresses = pushed.prefix { $0.address != nil }.compactMap(\.address)
        let saved = SavedPath(
            owner: owner, screens: addresses.map { .init(route: $0.route, parameters: $0.parameters) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(saved)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Pushes the screens of a text that ``text`` returned, as long as their routes answer.
    ///
    /// Call it when the stack has its first screen and its owner. Nothing is pushed if the stack already has other
    /// screens, if the screens belong to another user, or if the text is not one of ``text``. Screens after the first
    /// one whose route fails, or whose module is absent, are left out, as are all if the user goes elsewhere meanwhile.
    ///
    /// - Parameter text: The text.
    public func restore(from text: String) async {
        guard pushed.isEmpty, let saved = try? JSONDecoder().decode(SavedPath.self, from: Data(text.utf8)),
            saved.owner == owner
        else { return }
        for screen in saved.screens {
            guard let added = try? await add(PageAddress(screen.route, screen.parameters)) else { return }
            if added.page == nil { return pop() }
        }
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
