internal import SeedTransport

/// A HyperHive server (Foresight Mobile Platform) and the place in it that an app works with.
public struct HyperHiveServer: Sendable, Hashable {
  /// The version of the interface, such as `v1`.
  public var apiVersion: String
  /// The address, such as `https://mobile.example.com`; a slash at its end does not matter.
  public var host: String
  /// The environment that the project is in.
  public var environment: String
  /// The project.
  public var project: String
  /// The name by which the server knows this device.
  public var device: String

  /// A server from its parts.
  public init(
    apiVersion: String = "v1", host: String, environment: String, project: String, device: String
  ) {
    self.apiVersion = apiVersion
    self.host = host
    self.environment = environment
    self.project = project
    self.device = device
  }

  /// The address as errors show it: without a user and a password, which it must not have.
  internal var shownHost: String { HTTPURL.shown(host) }

  /// What versions and ETags belong to: a database that moves to a mirror of its server keeps them.
  internal var identity: String { "\(environment)/\(project)" }
}
