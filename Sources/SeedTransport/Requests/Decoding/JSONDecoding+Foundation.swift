// For Apple's systems, where every app has Foundation; elsewhere it costs start-up time and memory.
// The tests compile and run this file anyway.
#if canImport(Darwin) || SEED_FOUNDATION
  internal import Foundation
  #if SEED_FOUNDATION
    public import SeedTransport
  #endif

  extension JSONDecoding {
    /// How dates are written.
    public enum DateForm: Sendable {
      /// `2010-01-16T10:00:00Z`, with or without a fraction.
      case iso8601
      /// A number of seconds since 1970.
      case secondsSince1970
      /// A number of milliseconds since 1970.
      case millisecondsSince1970
    }

    /// The settings for types of Foundation: `URL` from a text, `Data` from Base64, `Date` as named.
    public static func foundation(dates: DateForm = .iso8601) -> JSONDecoding {
      var decoding = JSONDecoding()
      decoding.convert(URL.self) { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let url = URL(string: text) else { throw fault(decoder, "\"\(text)\" is no URL") }
        return url
      }
      decoding.convert(Data.self) { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let data = Data(base64Encoded: text) else {
          throw fault(decoder, "this is no Base64")
        }
        return data
      }
      decoding.convert(Date.self) { try date($0, dates) }
      return decoding
    }

    private static func date(_ decoder: any Decoder, _ form: DateForm) throws -> Date {
      let value = try decoder.singleValueContainer()
      switch form {
      case .secondsSince1970: return Date(timeIntervalSince1970: try value.decode(Double.self))
      case .millisecondsSince1970:
        return Date(timeIntervalSince1970: try value.decode(Double.self) / 1000)
      case .iso8601:
        let text = try value.decode(String.self)
        for hasFraction in [false, true] {
          let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
          if case .success(let date) = Result(catching: { try style.parse(text) }) { return date }
        }
        throw fault(decoder, "\"\(text)\" is no date of ISO 8601")
      }
    }

    private static func fault(_ decoder: any Decoder, _ text: String) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text))
    }
  }
#endif
