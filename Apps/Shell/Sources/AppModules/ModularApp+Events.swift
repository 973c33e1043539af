import Lifecycle
import Storage
import Synchronization

extension ModularApp {
    /// Sends an event to the modules. For `.background`, this method also suspends the storage, because iOS terminates
    /// a suspended app that holds a file lock in an app group's folder. Keep the app awake until this method returns,
    /// for example with `beginBackgroundTask`.
    ///
    /// For `.openURL`, this method also opens the link; call ``open(_:options:fileID:line:)`` to get the link's page.
    ///
    /// For `.memoryWarning`, this method also empties the network cache in memory.
    ///
    /// If the app becomes active while the modules are still handling `.background`, the storage is not suspended.
    ///
    /// - Returns: One line for each module that failed, one if the link was refused, and one if the storage could not be
    ///   resumed. Until the
    ///   storage is resumed, each update of a document takes the lock, and releases it afterwards.
    @discardableResult
    public func send(_ event: LifecycleEvent) async -> [String] {
        var failures: [String] = []
        switch event {
        case .active:
            foreground.isActive.withLock { $0 = true }
            failures += resumeStorage()
        case .background: foreground.isActive.withLock { $0 = false }
        case .memoryWarning: services.cache.removeAllFromMemory()
        default: break
        }
        if case .openURL(let url) = event {
            let opened = await open(url)
            return opened.failures + (opened.error.map { ["\($0)"] } ?? [])
        }
        failures += await host.send(event).failureLines
        if event == .background, !foreground.isActive.withLock({ $0 }) {
            await services.storage.suspend()
            // The app may have become active while the storage was being suspended.
            failures += resumeStorage()
        }
        return failures
    }

    /// Resumes the storage, unless the app is in the background.
    private func resumeStorage() -> [String] {
        foreground.isActive.withLock { isActive in
            guard isActive else { return [] }
            do throws(StorageError) {
                try services.storage.resume()
                return []
            } catch {
                return [error.description]
            }
        }
    }
}

/// Records whether `.active` or `.background` was sent last.
final class Foreground: Sendable {
    /// Locked while the value is checked and the storage resumes, so that no `.background` arrives in between.
    let isActive = Mutex(true)
}
