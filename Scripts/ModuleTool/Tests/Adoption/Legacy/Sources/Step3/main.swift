import ApiCenter
import Legacy
import Library
import LibraryApi
import Player
import PlayerApi

// The category method keeps its name and now calls the center, so its callers do not change.
extension OldMediator {
    func numberOfRecords(_ genre: String) -> Int {
        ApiCenter.shared.api(type: LibraryApiProtocol.self)?.count(genre) ?? 0
    }
}

PlayerModule().register(in: .shared)
LibraryModule().register(in: .shared)

print(ApiCenter.shared.api(type: PlayerApiProtocol.self)?.play("jazz") ?? "no player")
print(ApiCenter.shared.api(type: PlayerApiProtocol.self)?.play("rock") ?? "no player")
print(OldMediator.sharedInstance.numberOfRecords("jazz"), "records")
