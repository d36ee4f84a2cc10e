import Foundation

/// Sockets on 127.0.0.1.
enum LoopbackSocket {
  private static func make() throws -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    return address
  }

  /// Whether someone listens on a port.
  static func canConnect(to port: Int) -> Bool {
    guard let descriptor = try? make() else { return false }
    defer { close(descriptor) }
    var address = address(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// A socket that listens on a port of the system's choice.
  static func listening() throws -> (descriptor: Int32, port: Int) {
    let descriptor = try make()
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 64) == 0 else {
          return Int32(-1)
        }
        return getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw POSIXError(.init(rawValue: code) ?? .EIO)
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Sends all bytes; false once the other side is gone.
  static func send(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Darwin)
          Foundation.send(descriptor, buffer.baseAddress, buffer.count, 0)
        #else
          Foundation.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until the other side closes the connection; what it still sends is thrown away.
  static func waitForEnd(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
  }

  /// Whether the other side is still there after a while; what it has sent meanwhile stays.
  static func isOpen(_ descriptor: Int32, afterMilliseconds pause: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, pause) > 0 else { return true }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0
  }

  /// Has closing the socket send a reset instead of an orderly end.
  static func resetOnClose(_ descriptor: Int32) {
    var value = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }
}
