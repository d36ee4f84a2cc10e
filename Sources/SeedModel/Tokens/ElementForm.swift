/// What an element was in a document whose values have no names, such as JSON.
///
/// Tables do not need it: rows are rows. It tells what an archive of the same value has to be.
package enum ElementForm: UInt32, Sendable {
  /// What its content shows: an element of XML, a line of CSV.
  case plain
  /// The object that a member is, or a row of a keyed collection.
  case object
  /// An object that is an item of an array, or the document's value.
  case item
  /// An object that is an item of an array, and a keyed collection: the elements in it are its rows.
  case collection
  /// An array that is an item of an array: the elements in it are its items.
  case array
  /// A value that is an item of an array: it is the element's only field.
  case value
  /// A null that is an item of an array.
  case null

  /// Whether the element is an item of an array.
  package var isItem: Bool {
    switch self {
    case .plain, .object: false
    case .item, .collection, .array, .value, .null: true
    }
  }
}
