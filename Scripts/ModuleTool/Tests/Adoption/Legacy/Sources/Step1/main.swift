import ApiCenter
import Legacy
import PlayerApi

struct OldPlayer: PlayerApiProtocol {
    func play(_ genre: String) -> String { "playing \(genre)" }
}

extension OldMediator {
    func numberOfRecords(_ genre: String) -> Int {
        performTarget("Library", action: "count", params: ["genre": genre]) as? Int ?? 0
    }
}

extension FactoryContainer {
    var player: () -> any PlayerApiProtocol { self { OldPlayer() } }
}

let container = Container()
container.register(PlayerApiProtocol.self) { _ in OldPlayer() }
OldMediator.sharedInstance.add("Library", action: "count") { $0["genre"] as? String == "jazz" ? 3 : 0 }

// The center forwards to the container. The service is registered above, so the force unwrap is safe.
// swift-format-ignore: NeverForceUnwrap
ApiCenter.shared.register(PlayerApiProtocol.self) { container.resolve(PlayerApiProtocol.self)! }

// This caller already uses the center.
print(ApiCenter.shared.api(type: PlayerApiProtocol.self)?.play("jazz") ?? "no player")
print(FactoryContainer.shared.player().play("rock"))
print(OldMediator.sharedInstance.numberOfRecords("jazz"), "records")
