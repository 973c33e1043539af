import Links

/// The registry of links that an app uses: a table, or another router.
public struct AppLinks: Sendable {
    /// A link that the system or another app handed to this app.
    public struct Request: Sendable {
        /// The URL, unchanged.
        public let url: String
        /// The options that the system passed with the link.
        public let options: [String: any Sendable]
        /// The file that opened the link, for observers.
        public let fileID: StaticString
        /// The line that opened the link, for observers.
        public let line: UInt
    }

    /// Installs the links of one module: all of them, or none if it throws. Must not block its thread.
    public typealias Installer = @Sendable (_ links: [Link], _ module: String) throws -> Void

    /// Looks a link from outside up, and returns the call of its handler. Links are looked up one at a time, in the order
    /// in which they were opened. Links that modules open while they handle events have such an order of their own, so a
    /// link of either kind may be looked up at the same time as one of the other.
    ///
    /// Throws the reason why the link is refused. The look-up must not block its thread: the next link waits for it.
    public typealias Finder = @Sendable (Request) throws -> Answer

    /// Calls the handler of a link. Returns the link's value, such as a page, or nil if it has none.
    public typealias Answer = @Sendable () async throws -> (any Sendable)?

    let install: Installer
    let find: Finder

    /// Creates a value that an app passes to ``ModularApp``.
    ///
    /// - Parameters:
    ///   - install: Installs the links of one module. If it throws, the module is left out of the app.
    ///   - find: Looks a link from outside up, and returns the call of its handler.
    public init(install: @escaping Installer, find: @escaping Finder) {
        (self.install, self.find) = (install, find)
    }

    /// Installs and opens the links in a table. No call sees a part of a module's links.
    public init(_ table: LinkTable) {
        self.init(
            install: { links, _ in try table.install(links) },
            find: { try table.find($0.url, options: $0.options, fileID: $0.fileID, line: $0.line) })
    }
}

/// The error for a link that is opened in an app without links.
struct NoLinks: Error, CustomStringConvertible {
    let url: String

    var description: String {
        "\(AppURL.quoted(url)) cannot be opened, because this app has no registry of links. Pass one to ModularApp as "
            + "`links`, for example AppLinks(table)."
    }
}
