/// The notifications of User.
public enum UserNotification {
    /// A session has ended, because its passenger logged out, a new session replaced it (also one of the same passenger),
    /// or the server refused to renew its token. If another process of an app group ended it, User posts the notification
    /// when the app becomes active. Observers should discard everything that belongs to the session. User posts the
    /// notification without an object or user info, after ``UserApiProtocol/session`` has changed. Observers are called
    /// before the call of User returns that has ended the session; a caller that may hear of it later follows
    /// ``UserApiProtocol/sessions()``.
    public static let sessionEnded = "UserNotificationSessionEnded"
}
