/// The notifications of User.
public enum UserNotification {
    /// A session has ended: its passenger logged out, or another logged in. What was made for it is to end too.
    /// User posts it without contents, when ``UserApiProtocol/session`` has changed already.
    public static let sessionEnded = "UserNotificationSessionEnded"
}
