/// Library's interface for other modules.
public protocol LibraryApiProtocol {
    func count(_ genre: String) -> Int
}
