import URLGrammar

/// Typed access to a call's parameters: an alias, so that a handler needs to import only `Routes`.
public typealias Parameters = URLGrammar.Parameters
/// The error that `Parameters.required` throws. When a handler throws this error, the result is
/// `badParameter`.
public typealias ParameterError = URLGrammar.ParameterError
