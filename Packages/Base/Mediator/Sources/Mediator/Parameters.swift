import Links

/// Typed access to a call's parameters: an alias, so that a facade needs to import only `Mediator`.
public typealias Parameters = Links.Parameters
/// The error that `Parameters.required` throws.
///
/// When an action throws this error, the caller gets a ``MediatorError`` with `badParameter`.
public typealias ParameterError = Links.ParameterError
