import ApiCenter
import PlayerApi

/// Registers Player.
public struct PlayerModule {
    public init() {}

    public func register(in center: ApiCenter) {
        center.register(PlayerApiProtocol.self) { Player() }
    }
}

struct Player: PlayerApiProtocol {
    func play(_ genre: String) -> String { "playing \(genre)" }
}
