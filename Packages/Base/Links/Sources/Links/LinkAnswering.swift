import ApiCenter

/// A module that answers links: routes and actions, for callers that do not know the module's Api.
///
/// ```swift
/// public struct HomeModule: Module, LinkAnswering { ... }
/// ```
///
/// The app finds this conformance, of wrapped modules too, after every module has registered and prepared, and installs
/// the links. A module that has `links(in:)` without the conformance is never asked; the rule
/// `module-members` reports it. A module without links does not conform, and imports nothing of this package. A
/// module that failed to register or to prepare is not asked, so it answers no links. Source: seeds 2 and 4.
public protocol LinkAnswering {
    /// The module's links. The names of routes are constants of the module's Api package.
    ///
    /// A handler that needs the center captures it weakly (`[weak center]`), because the center owns the registries of
    /// links, which own the handler.
    func links(in center: ApiCenter) -> [Link]
}
