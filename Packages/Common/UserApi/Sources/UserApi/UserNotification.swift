/// The notifications of User.
public enum UserNotification {
    /// A session has ended, because its passenger logged out or a new session replaced it. Observers should
    /// discard everything that belongs to the session. User posts the notification without an object or user
    /// info, after ``UserApiProtocol/session`` has changed.
    public static let sessionEnded = "UserNotificationSessionEnded"
}
