import URLGrammar

/// The typed reads of parameters, under a name that a handler reaches by importing routes alone.
public typealias Parameters = URLGrammar.Parameters
/// What a required read throws; from a handler it becomes the result `badParameter`.
public typealias ParameterError = URLGrammar.ParameterError
