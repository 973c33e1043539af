/// What others may ask of Library.
public protocol LibraryApiProtocol {
    func count(_ genre: String) -> Int
}
