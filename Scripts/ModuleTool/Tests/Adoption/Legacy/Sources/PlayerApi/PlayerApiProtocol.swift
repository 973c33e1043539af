/// Player's interface for other modules.
public protocol PlayerApiProtocol {
    func play(_ genre: String) -> String
}
