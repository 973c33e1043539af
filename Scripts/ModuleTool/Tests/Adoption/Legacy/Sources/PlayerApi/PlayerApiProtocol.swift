/// What others may ask of Player.
public protocol PlayerApiProtocol {
    func play(_ genre: String) -> String
}
