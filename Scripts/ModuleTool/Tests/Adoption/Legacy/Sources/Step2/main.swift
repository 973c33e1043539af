import ApiCenter
import Legacy
import Player
import PlayerApi

extension OldMediator {
    func numberOfRecords(_ genre: String) -> Int {
        performTarget("Library", action: "count", params: ["genre": genre]) as? Int ?? 0
    }
}

let container = Container()
OldMediator.sharedInstance.add("Library", action: "count") { $0["genre"] as? String == "jazz" ? 3 : 0 }

// The module registers itself in the center, and the container forwards to the center.
PlayerModule().register(in: .shared)
// swift-format-ignore: NeverForceUnwrap
container.register(PlayerApiProtocol.self) { _ in ApiCenter.shared.api(type: PlayerApiProtocol.self)! }

// This caller still uses the container.
print(container.resolve(PlayerApiProtocol.self)?.play("jazz") ?? "no player")
print(OldMediator.sharedInstance.numberOfRecords("jazz"), "records")
