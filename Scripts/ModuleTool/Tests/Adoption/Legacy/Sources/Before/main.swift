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

print(container.resolve(PlayerApiProtocol.self)?.play("jazz") ?? "no player")
print(FactoryContainer.shared.player().play("rock"))
print(OldMediator.sharedInstance.numberOfRecords("jazz"), "records")
