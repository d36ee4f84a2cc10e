/// A place or field that a reader meets for the first time.
///
/// Places and fields are numbered from 0 in document order, so a second reading of the same
/// input gives the same numbers.
package enum TokenDefinition: Sendable, Equatable {
  /// A new place below `parent`, which is nil for the document's root.
  case place(name: QualifiedName, parent: Int?)
  /// `place`, itself one of `parent`'s ancestors, is met again directly below `parent`.
  case recursion(place: Int, parent: Int)
  /// The elements at `place` are those of an array: however many there are, they are rows.
  case array(place: Int)
  /// A new attribute of the elements at `place`.
  case attribute(name: QualifiedName, place: Int)
  /// The direct text of the elements at `place`.
  case text(place: Int)
  /// A value of the field is a number with a fraction or an exponent, whatever it looks like.
  case real(field: Int)
  /// All values of the field are binary data, in canonical Base64.
  case data(field: Int)
  /// Some values of the field are binary data, in Base64, and some are not.
  case mixedData(field: Int)
  /// A value of the field is a number, a boolean or a date and no string, whatever it looks like: the
  /// first one, as it is handed on, and its line.
  case bare(field: Int, value: String, line: Int)
}
