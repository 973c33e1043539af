import Loopback

/// The server of the package Loopback, under the same name, so that a test of a client imports one module.
public typealias LoopbackServer = Loopback.LoopbackServer
