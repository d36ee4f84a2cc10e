internal import SeedModel

/// Tells where the fields of one record of delimited text stand.
struct DelimitedPlaces {
  let header: DelimitedHeader

  /// The places of a record's start and of its fields.
  ///
  /// - Parameters:
  ///   - bytes: The record, which is sound, with the empty lines before it.
  ///   - offset: The offset of the first byte in the text.
  ///   - line: The line of the first byte.
  /// - Returns: That of the start, and those of the fields.
  func places(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, line: Int
  ) -> [TokenPlace] {
    var (index, line) = (0, line)
    while index < bytes.count, isLineEnd(bytes[index]) {
      // A line feed behind a carriage return ends no line of its own.
      if bytes[index] == 0x0D || index == 0 || bytes[index - 1] != 0x0D { line += 1 }
      index += 1
    }
    let record = TokenPlace.Record(offset: offset + Int64(index), line: line)
    func place(_ index: Int) -> TokenPlace {
      TokenPlace(offset: offset + Int64(index), record: record)
    }
    var result = [place(index)]
    while true {
      let start = index
      skipField(bytes, &index)
      // What is in quotes begins behind the first one.
      let isQuoted = start < bytes.count && bytes[start] == header.quote
      result.append(place(isQuoted ? start + 1 : start))
      guard index < bytes.count, bytes[index] == header.delimiter else { return result }
      index += 1
    }
  }

  /// Goes to what ends a field.
  private func skipField(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
    var isQuoted = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == header.quote {
        isQuoted.toggle()
      } else if !isQuoted, byte == header.delimiter || isLineEnd(byte) {
        return
      }
      index += 1
    }
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
