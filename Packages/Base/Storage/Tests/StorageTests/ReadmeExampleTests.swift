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

@Suite("The README's journeys")
struct ReadmeExampleTests {
    @Test("are kept, and are there the next time")
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

    @Test("that an older version wrote are migrated")
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
