/// Which value, or record, of an input a message is about, by what is known of it once it was read.
struct ValueSpot: Hashable {
  /// A record by the place of its element and its number in its staged table.
  struct Record: Hashable {
    var place: Int
    var ordinal: Int64
  }

  /// The line that its element starts in.
  var line: Int
  /// The place of its element, or of the value's.
  var place: Int
  /// The record; nil for the first value of the fields that is the same.
  var record: Record?
  /// The fields of the inputs that the value may be one of; those of a whole record do not matter.
  var fields: [Int] = []
  /// The value as it was read; nil for the record itself.
  var value: [UInt8]?
}
