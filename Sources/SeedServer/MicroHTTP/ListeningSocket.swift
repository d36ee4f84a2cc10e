#if !canImport(Darwin)
  internal import Glibc

  /// A socket that takes connections.
  internal struct ListeningSocket {
    internal let descriptor: Int32
    /// The port, the system's choice where 0 was asked for.
    internal let port: UInt16
    /// The address as numbers, in brackets where it has colons.
    internal let address: String

    /// Listens on an address, which may be a name.
    ///
    /// - Throws: ``ServerError``.
    internal init(address: String, port: UInt16) throws(ServerError) {
      let place = "\(address):\(port)"
      var hints = addrinfo()
      hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      let code = getaddrinfo(address, String(port), &hints, &list)
      guard code == 0, let first = list else {
        let words = String(cString: gai_strerror(code))
        throw ServerError(
          .unknownAddress(words.prefix(1).lowercased() + words.dropFirst()), place: place)
      }
      defer { freeaddrinfo(list) }
      descriptor = socket(
        first.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw ServerError(.notListening(code: errno), place: place) }
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
        listen(descriptor, 128) == 0, let bound = Self.name(of: descriptor)
      else {
        let code = errno
        close(descriptor)
        throw ServerError(.notListening(code: code), place: place)
      }
      self.port = bound.port
      self.address = bound.address
    }

    private static func name(of descriptor: Int32) -> (address: String, port: UInt16)? {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
      let code = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
          guard getsockname(descriptor, name, &length) == 0 else { return Int32(-1) }
          return getnameinfo(
            name, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        }
      }
      guard code == 0, let port = UInt16(text(service)) else { return nil }
      let address = text(host)
      return (address.contains(":") ? "[\(address)]" : address, port)
    }

    private static func text(_ characters: [CChar]) -> String {
      String(
        decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
