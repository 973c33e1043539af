import APICache
import APIService
import APITransport
import ApiCenter
import Foundation
import Launch
import Links
import Mediator
import Routes
import Storage

/// The services that the app provides to its modules.
///
/// The services are in the center before the first module prepares, so a module may request them then. Each app has its
/// own services, so apps in one process share no state.
public struct AppServices: Sendable {
    /// The links that the modules answer.
    public let links = LinkTable()
    /// The routes among the links.
    public let routes: Routes
    /// The actions among the links.
    public let mediator: Mediator
    /// The notification center that the modules post to.
    public let notifications = NotificationCenter()
    /// The modules' stored data.
    public let storage: Storage
    /// The network service that sends the modules' requests.
    public let network: APIService
    /// The cache of the network service's responses.
    private let cache: CacheTool

    /// Creates the services of one app.
    ///
    /// - Parameters:
    ///   - storage: The storage for the modules' data.
    ///   - client: The transport that sends the modules' requests.
    ///   - cacheFolder: The folder for the network cache. The default is `cache` in the storage's folder; if the
    ///     storage is in memory, the default is a cache in memory. An iOS app should pass a folder in
    ///     `URL.cachesDirectory`, which iOS does not back up, and may empty when the disk is full.
    ///   - key: The operator's key, with which each request is signed; nil for a server that does not check signatures.
    ///     Only the network client gets the key, so no module can read it.
    public init(
        storage: Storage, client: any APIClient, cacheFolder: URL? = nil, key: Data? = nil
    ) {
        self.storage = storage
        (routes, mediator) = (Routes(on: links), Mediator(on: links))
        var settings = APISettings()
        // By default, the cache is part of the data: a run with another data folder starts with an empty cache.
        let cacheFolder = cacheFolder ?? storage.folder?.appending(path: "cache")
        cache = cacheFolder.map { CacheTool(folder: $0, diskLimit: 1 << 20) } ?? CacheTool.inMemory()
        settings.cacheTool = cache
        settings.retry = APIRetryPolicy(maximumAttempts: 3)
        if let key { settings.accessories = [APISigningAccessory { $0.signed(with: key) }] }
        network = APIService(client: client, config: APIConfig(settings))
        if let observer = SystemLog.links { links.addObserver(observer) }
    }

    func register(in center: ApiCenter) {
        let (routes, mediator, notifications) = (routes, mediator, notifications)
        let (storage, network) = (storage, network)
        center.register(Routes.self) { routes }
        center.register(Mediator.self) { mediator }
        center.register(NotificationCenter.self) { notifications }
        center.register(Storage.self) { storage }
        center.register(APIService.self) { network }
    }

    /// The services that follow the app's events. The storage is suspended in the background, because iOS terminates a
    /// suspended app that holds a file lock in an app group's folder. Until the storage is resumed, each update of a
    /// document takes the lock, and releases it afterwards. A memory warning empties the network cache in memory.
    var eventServices: [EventService] {
        let (storage, cache) = (storage, cache)
        return [
            EventService(
                "Storage", active: { try storage.resume() }, background: { await storage.suspend() }),
            EventService("The network cache", memoryWarning: { cache.removeAllFromMemory() }),
        ]
    }
}
