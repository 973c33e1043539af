import URLGrammar

/// The typed reads of parameters, under a name that a facade reaches by importing the mediator alone.
public typealias Parameters = URLGrammar.Parameters
/// What a required read throws; from an action it reaches the caller as ``MediatorError`` `badParameter`.
public typealias ParameterError = URLGrammar.ParameterError
