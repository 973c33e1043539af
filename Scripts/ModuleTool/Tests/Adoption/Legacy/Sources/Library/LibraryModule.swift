import ApiCenter
import LibraryApi

/// Registers Library.
public struct LibraryModule {
    public init() {}

    public func register(in center: ApiCenter) {
        center.register(LibraryApiProtocol.self) { Library() }
    }
}

struct Library: LibraryApiProtocol {
    func count(_ genre: String) -> Int { genre == "jazz" ? 3 : 0 }
}
