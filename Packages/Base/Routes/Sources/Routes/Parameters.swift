import Links

/// Typed access to a call's parameters: an alias, so that a caller needs to import only `Routes`.
public typealias Parameters = Links.Parameters
/// The error that `Parameters.required` throws. When a handler throws this error, the call fails with `badParameter`.
public typealias ParameterError = Links.ParameterError
