import Lifecycle
import Storage

extension ModularApp {
    /// Sends an event to the modules, and suspends the storage while the app is in the background, because iOS
    /// terminates a suspended app that holds a lock in the folder of an app group. The app must stay awake until this
    /// method returns, for example with `beginBackgroundTask`.
    ///
    /// - Returns: One line for each module that failed, and one if the storage could not be resumed. In that
    ///   case, each update of a document takes the lock only while it runs.
    @discardableResult
    public func send(_ event: LifecycleEvent) async -> [String] {
        var failures: [String] = []
        if event == .active {
            do throws(StorageError) {
                try services.storage.resume()
            } catch {
                failures.append(error.description)
            }
        }
        failures += await host.send(event).failureLines
        if event == .background { await services.storage.suspend() }
        return failures
    }
}
