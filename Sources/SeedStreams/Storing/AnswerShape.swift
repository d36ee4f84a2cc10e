internal import SeedModel

/// An answer taken apart as a build takes a document apart: places of elements, fields of values.
///
/// A place is a path of names; objects, and the items of arrays, are elements at a place.
internal struct AnswerShape {
  /// One path of names.
  struct Place {
    var name: QualifiedName
    var parent: Int?
    /// Orders places and fields by their first appearance.
    var order: Int
    var children: [Int] = []
    var fields: [Int] = []
    /// Places that have this one, their own ancestor, as a child too.
    var recursions: [(parent: Int, order: Int)] = []
    /// Whether the elements are items.
    var repeats = false
  }

  /// The values of one name at a place.
  struct Field {
    var place: Int
    var name: QualifiedName
    var order: Int
    /// Whether some number is written with a fraction or an exponent.
    var hasDecimals = false
  }

  /// An object, or an item of an array.
  final class Element {
    let place: Int
    var values: [(field: Int, text: String)] = []
    var children: [Element] = []

    init(_ place: Int) { self.place = place }
  }

  var places: [Place] = []
  var fields: [Field] = []
  var root = Element(0)

  /// Takes a document apart.
  ///
  /// - Parameters:
  ///   - document: An object or an array.
  ///   - name: What its records are called that have no name.
  init(_ document: LocatedJSON, name: String) {
    var findings = CollectionFindings()
    while true {
      findings.startReading()
      var reading = ShapeReading(findings, name: name)
      reading.read(document)
      reading.settle()
      findings = reading.findings
      self = reading.shape
      if !findings.isRevised { return }
    }
  }

  /// A shape with nothing but the root's element.
  init() {}
}
