#if !canImport(Darwin)
  internal import CCurl
  internal import Glibc

  /// A pair of libcurl's handles: one for a request, and one that drives it and keeps connections.
  ///
  /// The second one is why a request can be cancelled and timed to the millisecond; the simple call
  /// of the library looks up only once a second.
  ///
  /// `@unchecked` is safe: one thread at a time has a session, except for ``wakeUp()``, which the
  /// library allows from any thread.
  internal final class CurlSession: @unchecked Sendable {
    private let curl: UnsafePointer<seed_curl>
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    /// How long to sleep at most before a look at the clock.
    private static let longestWait = Duration.seconds(1)

    /// Nil if the library is missing or out of memory.
    internal init?() {
      guard let curl = CurlLibrary.shared?.functions, let easy = seed_curl_easy_init(curl) else {
        return nil
      }
      guard let multi = seed_curl_multi_init(curl) else {
        seed_curl_easy_cleanup(curl, easy)
        return nil
      }
      self.curl = curl
      self.easy = easy
      self.multi = multi
      errorText = .allocate(capacity: Int(seed_curl_error_size))
      errorText.initialize(repeating: 0, count: Int(seed_curl_error_size))
    }

    deinit {
      seed_curl_easy_cleanup(curl, easy)
      seed_curl_multi_cleanup(curl, multi)
      errorText.deallocate()
    }

    /// Has a run look at its cancellation now.
    internal func wakeUp() {
      _ = seed_curl_multi_wakeup(curl, multi)
    }

    /// Makes a request.
    ///
    /// - Throws: ``TransportError``, or what the transfer's closures throw.
    internal func run(
      _ transfer: CurlTransfer, certificateFile: String?, isCancelled: () -> Bool
    ) throws {
      let request = transfer.request
      seed_curl_easy_reset(curl, easy)
      errorText.pointee = 0
      let list = headerList(request.headers)
      defer { if let list { seed_curl_list_free(curl, list) } }
      configure(request, certificateFile: certificateFile)
      set(seed_curl_headers, pointer: list)
      set(seed_curl_header_data, pointer: Unmanaged.passUnretained(transfer).toOpaque())
      set(seed_curl_write_data, pointer: Unmanaged.passUnretained(transfer).toOpaque())
      guard seed_curl_multi_add(curl, multi, easy) == 0 else {
        throw request.error(.noLibrary)
      }
      defer { _ = seed_curl_multi_remove(curl, multi, easy) }
      let result = try drive(transfer, isCancelled: isCancelled)
      if let failure = transfer.failure { throw failure }
      guard result == Int32(seed_curl_ok) else {
        throw request.error(reason(of: result, transfer))
      }
      // The library has been seen to call an answer complete that ends inside its head.
      guard transfer.head != nil else {
        throw request.error(.cut(received: 0, expected: nil))
      }
    }

    /// Lets the library work until the request has ended.
    private func drive(_ transfer: CurlTransfer, isCancelled: () -> Bool) throws -> Int32 {
      let request = transfer.request
      var isConnected = false
      while true {
        guard seed_curl_multi_perform(curl, multi) == 0 else {
          throw request.error(.noLibrary)
        }
        let result = seed_curl_multi_result(curl, multi)
        if result >= 0 { return result }
        if isCancelled() { throw request.error(.cancelled) }
        var wait = Self.longestWait
        // Until then the library's own bound for connecting holds.
        if isConnected {
          let left = transfer.lastActivity + request.limits.stallTimeout - MonotonicClock.now()
          if left <= .zero { throw request.error(.timedOut(.receiving)) }
          wait = min(wait, left)
        } else if seed_curl_is_connected(curl, easy) != 0 {
          isConnected = true
          transfer.lastActivity = MonotonicClock.now()
          wait = min(wait, request.limits.stallTimeout)
        }
        _ = seed_curl_multi_poll(curl, multi, wait.milliseconds)
      }
    }

    private func configure(_ request: HTTPRequest, certificateFile: String?) {
      set(seed_curl_url, text: request.url.text)
      set(seed_curl_error_buffer, pointer: errorText)
      set(seed_curl_no_signal, 1)
      set(seed_curl_follow_location, 0)
      set(seed_curl_path_as_is, 1)
      set(seed_curl_verify_peer, 1)
      set(seed_curl_verify_host, 2)
      // What is said to a proxy is not for the server, and the other way round.
      set(seed_curl_suppress_connect_headers, 1)
      set(seed_curl_header_option, Int(seed_curl_header_separate))
      set(seed_curl_connect_timeout, Int(request.limits.connectTimeout.milliseconds))
      set(seed_curl_user_agent, text: UserAgent.text)
      if let certificateFile { set(seed_curl_ca_file, text: certificateFile) }
      switch request.method {
      case "GET": break
      case "HEAD": set(seed_curl_no_body, 1)
      case "POST": set(seed_curl_post, 1)
      default: set(seed_curl_custom_request, text: request.method)
      }
      if request.body != nil || request.method == "POST" {
        (request.body ?? []).withUnsafeBytes { bytes in
          _ = seed_curl_set_body(curl, easy, bytes.baseAddress, bytes.count)
        }
      }
      _ = seed_curl_set_callback(
        curl, easy, Int32(seed_curl_header_function)
      ) { bytes, size, count, context in
        takePiece(bytes, size * count, context) { $0.takeLine($1) }
      }
      _ = seed_curl_set_callback(
        curl, easy, Int32(seed_curl_write_function)
      ) { bytes, size, count, context in
        takePiece(bytes, size * count, context) { $0.takeBody($1) }
      }
    }

    private func headerList(_ headers: HTTPHeaders) -> UnsafeMutableRawPointer? {
      // The library waits a second for a server that does not know this header.
      var lines = ["Expect:"]
      // A colon with nothing behind it would take a header away instead of sending it empty.
      lines += headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
      return lines.reduce(nil) { seed_curl_list_append(curl, $0, $1) ?? $0 }
    }

    private func reason(of result: Int32, _ transfer: CurlTransfer) -> TransportError.Reason {
      let text = String(cString: errorText)
      let detail =
        text.isEmpty ? String(cString: seed_curl_easy_strerror(curl, result)) : text
      return CurlFailure.reason(
        result, detail: transfer.request.redaction.shown(Self.sentencePart(detail)), transfer)
    }

    /// A message with a small first letter, unless that begins an abbreviation such as `SSL`.
    private static func sentencePart(_ message: String) -> String {
      if let second = message.dropFirst().first, second.isUppercase { return message }
      return message.prefix(1).lowercased() + message.dropFirst()
    }

    private func set(_ option: Int, _ value: Int) {
      _ = seed_curl_set_long(curl, easy, Int32(option), value)
    }

    private func set(_ option: Int, text: String) {
      _ = seed_curl_set_text(curl, easy, Int32(option), text)
    }

    private func set(_ option: Int, pointer: UnsafeMutableRawPointer?) {
      _ = seed_curl_set_pointer(curl, easy, Int32(option), pointer)
    }
  }

  /// Hands a piece of an answer to the transfer that a callback's context is.
  ///
  /// - Returns: The number of bytes taken; any other than all of them ends the transfer.
  private func takePiece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = take(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
    // Nothing at all is a piece too, and taking none of it would be all of it.
    return isTaken ? count : count == 0 ? 1 : 0
  }
#endif
