import ApiCenter
import Legacy
import Player
import PlayerApi

extension OldMediator {
    func numberOfRecords(_ genre: String) -> Int {
        performTarget("Library", action: "count", params: ["genre": genre]) as? Int ?? 0
    }
}

extension FactoryContainer {
    // swift-format-ignore: NeverForceUnwrap
    var player: () -> any PlayerApiProtocol { self { ApiCenter.shared.api(type: PlayerApiProtocol.self)! } }
}

let container = Container()
OldMediator.sharedInstance.add("Library", action: "count") { $0["genre"] as? String == "jazz" ? 3 : 0 }

// The module registers itself in the center, and the container forwards to the center.
PlayerModule().register(in: .shared)
// swift-format-ignore: NeverForceUnwrap
container.register(PlayerApiProtocol.self) { _ in ApiCenter.shared.api(type: PlayerApiProtocol.self)! }

// These callers still use the containers.
print(container.resolve(PlayerApiProtocol.self)?.play("jazz") ?? "no player")
print(FactoryContainer.shared.player().play("rock"))
print(OldMediator.sharedInstance.numberOfRecords("jazz"), "records")
