// The part of Apple's SwiftUI that the modules use.
public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}
