/// The bounds that keep memory and time bounded on any input, hostile or not.
///
/// One place for all of them, so that readers, documentation and tests agree.
package enum InputLimits {
  /// The most bytes that one row's values may have together (16 MiB).
  package static let rowBytes = 16 << 20
  /// The most bytes of one comment, processing instruction, CDATA section or tag (16 MiB).
  package static let markupBytes = 16 << 20
  /// The most bytes of a document type declaration (4 MiB).
  package static let doctypeBytes = 4 << 20
  /// The deepest nesting of elements or values.
  package static let depth = 1_000
  /// The most columns of one table; SQLite's own bound.
  package static let columnsPerTable = 2_000
  /// The most attributes of one element, which have to fit into a table.
  package static let attributesPerElement = 2_000
  /// The most declarations of attributes in one document type declaration: libxml2 compares each
  /// with all before it.
  package static let attributeDeclarations = 10_000
  /// The most bytes of an element's or attribute's name.
  package static let nameBytes = 4_096
  /// The most distinct places (paths of element names) in one document.
  package static let places = 20_000
  /// The most distinct attributes and texts, summed over all places.
  package static let fields = 50_000
  /// The most tables of one database.
  package static let tables = 2_000
  /// Entities may expand to so many times the bytes read, and ``entityExpansionAllowance`` more.
  package static let entityExpansionFactor = 8
  /// How many bytes entities may expand to besides (1 MiB).
  package static let entityExpansionAllowance = 1 << 20
  /// The most errors of one input that are told at once.
  package static let errors = 20
  /// The values that a binary property list stores once and uses again may make it so many times
  /// as large, and ``sharedValueAllowance`` bytes more.
  package static let sharedValueFactor = 64
  /// How many bytes shared values may expand to besides (16 MiB).
  package static let sharedValueAllowance = 16 << 20
}
