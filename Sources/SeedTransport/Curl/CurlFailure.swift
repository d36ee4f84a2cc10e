#if !canImport(Darwin)
  internal import CCurl

  /// What libcurl's results mean.
  internal enum CurlFailure {
    /// The reason of a transfer that ended with a result other than success.
    internal static func reason(
      _ result: Int32, detail: String, _ transfer: CurlTransfer
    ) -> TransportError.Reason {
      switch Int(result) {
      case seed_curl_no_host_name, seed_curl_no_proxy_name,
        seed_curl_no_connection, seed_curl_proxy:
        .unreachable(detail)
      case seed_curl_timed_out:
        .timedOut(.connecting)
      case seed_curl_handshake_failed:
        .handshake(detail)
      case seed_curl_untrusted, seed_curl_bad_ca_file,
        seed_curl_bad_issuer:
        .untrusted(detail)
      case seed_curl_receive_error where detail.lowercased().contains("chunk"):
        // The same number as for a lost connection; the text alone tells them apart.
        .malformed(detail)
      case seed_curl_partial, seed_curl_got_nothing,
        seed_curl_send_error, seed_curl_receive_error,
        seed_curl_http2, seed_curl_http2_stream:
        .cut(received: transfer.bodyByteCount, expected: transfer.head?.contentLength)
      case seed_curl_bad_url:
        .invalidURL(.badHost)
      case seed_curl_unsupported_protocol:
        // Only http and https are asked for: the library takes an answer without a head for that
        // of a protocol older than HTTP/1.0.
        .malformed("it is not HTTP")
      default:
        .malformed(detail)
      }
    }
  }
#endif
