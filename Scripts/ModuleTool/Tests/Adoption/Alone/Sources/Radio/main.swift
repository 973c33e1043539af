import ApiCenter

protocol PlayerApiProtocol: Sendable {
    func play(_ genre: String) -> String
}

struct Player: PlayerApiProtocol {
    func play(_ genre: String) -> String { "playing \(genre)" }
}

ApiCenter.shared.register(PlayerApiProtocol.self) { Player() }

print(ApiCenter.shared.api(type: PlayerApiProtocol.self)?.play("jazz") ?? "no player in this app")
