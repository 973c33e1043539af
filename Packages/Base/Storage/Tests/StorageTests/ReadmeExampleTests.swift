import Foundation
import Storage
import TestSupport
import Testing

private enum JourneyError: Error, Equatable {
    case notSaved(String)
}

private struct JourneyService {
    let journeys: Document<[Trip]>

    func record(_ trip: Trip) throws(JourneyError) {
        try journeys.update(orThrow: JourneyError.notSaved) { $0.append(trip) }
    }
}

@Suite("The README's journeys", .waitLimit)
struct ReadmeExampleTests {
    @Test("The README's journeys are saved and read back")
    func kept() throws {
        let place = try TemporaryFolder(), folder = place.url
        do {
            let storage = try Storage(folder: folder)
            let journeys = try storage.document("journeys", version: 1, default: [Trip]())
            try journeys.update { $0.append(Trip(to: "Harbour")) }  // on disk when it returns
            print(journeys.value.count)  // from memory
            try JourneyService(journeys: journeys).record(Trip(to: "Museum"))
        }
        let next = try Storage(folder: folder).document("journeys", version: 1, default: [Trip]())
        #expect(next.value == [Trip(to: "Harbour"), Trip(to: "Museum")])
    }

    @Test("The README's secret can be stored and read back")
    func secret() throws {
        let storage = Storage.inMemory(), token = "t-1"
        try storage.secrets.setSecret(Data(token.utf8), name: "token")
        let found = try storage.secrets.secret("token")
        #expect(found == Data("t-1".utf8))
    }

    @Test("The README's card is saved while the storage is suspended, and is still there afterwards")
    func suspended() async throws {
        let place = try TemporaryFolder(), storage = try Storage(folder: place.url)
        let cards = try storage.document("cards", default: [String](), protection: .complete)
        await storage.suspend()
        try cards.update { $0.append("Visa") }  // takes the lock only while it runs
        try storage.resume()
        #expect(cards.value == ["Visa"])
    }

    @Test("The README's migration converts journeys of an older version")
    func migrated() throws {
        let place = try TemporaryFolder(), folder = place.url
        do {
            let old = try Storage(folder: folder).document("journeys", version: 1, default: [String]())
            try old.update { $0.append("Harbour") }
        }
        let storage = try Storage(folder: folder)
        let journeys = try storage.document(
            "journeys", version: 2, default: [Trip](),
            migrations: [Migration(from: 1) { (stations: [String]) in stations.map { Trip(to: $0) } }])
        #expect(journeys.value == [Trip(to: "Harbour")])
    }
}
