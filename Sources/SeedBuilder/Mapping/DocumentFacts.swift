internal import SeedModel

/// What is known of the inputs' structure: for each place which elements it had, and of each field
/// what its values allow.
///
/// Facts are only ever added, so seeing the same part of an input twice changes nothing, and a
/// reading that starts over begins with all that the one before has found.
struct DocumentFacts {
  /// One path of element names.
  struct Place {
    var name: QualifiedName
    var parent: Int?
    /// Orders places and fields by their first appearance.
    var order: Int
    var children: [Int] = []
    /// The fields of the attributes.
    var attributes: [Int] = []
    /// The field of the direct text.
    var text: Int?
    /// Places that have this one, their own ancestor, as a child too.
    var recursions: [Recursion] = []
    /// Whether some parent has more than one such element.
    var repeats = false
    /// Whether some element has text that is not all blanks.
    var hasText = false
    /// The line of the first element with text between its children.
    var mixedLine: Int?

    var isRecursive: Bool { !recursions.isEmpty }
  }

  /// That a place's elements were first met below a descendant of theirs.
  struct Recursion {
    var parent: Int
    var order: Int
  }

  /// One attribute, or the direct text, of the elements at a place.
  struct Field {
    var place: Int
    /// Nil for direct text.
    var name: QualifiedName?
    var order: Int
    var statistics: ValueStatistics
    /// What the reader says of the values besides.
    var declared: DeclaredValues = []
    /// The first value that is no string in a format that tells the two apart, and its line.
    var bareValue: (text: String, line: Int)?
    /// Whether the observed values are integers that rise; known of fields called `id` only.
    var isRising: Bool { isKeyLike && !hasFallen }
    fileprivate var isKeyLike = false
    fileprivate var hasFallen = false
    fileprivate var lastInteger = Int64.min

    init(place: Int, name: QualifiedName?, order: Int, statistics: ValueStatistics) {
      self.place = place
      self.name = name
      self.order = order
      self.statistics = statistics
    }
  }

  /// What a reader knows of the values of a field that they do not show themselves.
  struct DeclaredValues: OptionSet {
    let rawValue: UInt8

    /// Some are numbers with a fraction or an exponent.
    static let real = DeclaredValues(rawValue: 1)
    /// Some are binary data.
    static let data = DeclaredValues(rawValue: 2)
    /// Some are binary data and some are not.
    static let mixedData = DeclaredValues(rawValue: 6)
  }

  private(set) var places: [Place] = []
  private(set) var fields: [Field] = []
  /// The root places, one an input.
  private(set) var roots: [Int] = []
  let rules: ValueRules
  /// Whether values are to be loaded as they stand, with their places.
  let isRaw: Bool
  private var order = 0

  init(rules: ValueRules, isRaw: Bool = false) {
    self.rules = isRaw ? .raw : rules
    self.isRaw = isRaw
  }

  /// The facts of one input, made elsewhere.
  init(rules: ValueRules, isRaw: Bool, places: [Place], fields: [Field]) {
    self.init(rules: rules, isRaw: isRaw)
    self.places = places
    self.fields = fields
    roots = [0]
  }

  /// Adds a definition of an input whose places and fields are numbered from these bases.
  mutating func add(_ definition: TokenDefinition, placeBase: Int, fieldBase: Int) {
    order += 1
    switch definition {
    case .place(let name, let parent):
      let index = places.count
      let parentIndex = parent.map { $0 + placeBase }
      places.append(Place(name: name, parent: parentIndex, order: order))
      if let parentIndex {
        places[parentIndex].children.append(index)
      } else {
        roots.append(index)
      }
    case .recursion(let place, let parent):
      places[place + placeBase].recursions.append(
        Recursion(parent: parent + placeBase, order: order))
    case .array(let place): noteRepetition(of: place + placeBase)
    case .attribute(let name, let place):
      places[place + placeBase].attributes.append(fields.count)
      addField(of: place + placeBase, name: name, keyName: name)
    case .text(let place):
      places[place + placeBase].text = fields.count
      addField(of: place + placeBase, name: nil, keyName: places[place + placeBase].name)
    case .real(let field): fields[field + fieldBase].declared.insert(.real)
    case .data(let field): fields[field + fieldBase].declared.insert(.data)
    case .mixedData(let field): fields[field + fieldBase].declared.insert(.mixedData)
    case .bare(let field, let value, let line):
      fields[field + fieldBase].bareValue = (value, line)
    }
  }

  private mutating func addField(of place: Int, name: QualifiedName?, keyName: QualifiedName) {
    var field = Field(
      place: place, name: name, order: order, statistics: ValueStatistics(rules: rules))
    field.isKeyLike = keyName.local.lowercased() == "id"
    fields.append(field)
  }

  /// The number of the input that a place belongs to.
  func input(of place: Int) -> Int {
    var (low, high) = (0, roots.count)
    while low < high {
      let middle = (low + high) / 2
      if roots[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  mutating func noteRepetition(of place: Int) { places[place].repeats = true }

  mutating func noteText(of place: Int) { places[place].hasText = true }

  mutating func noteMixedContent(of place: Int, line: Int) {
    // The first in the document: a reading may have begun to take note after it.
    places[place].mixedLine = min(places[place].mixedLine ?? line, line)
  }

  @inline(__always)
  mutating func observe(_ field: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    fields[field].statistics.observe(bytes, count)
  }

  /// Observes a value while nothing is loaded yet.
  mutating func observeSample(_ field: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    observe(field, bytes, count)
    guard fields[field].isKeyLike, !fields[field].hasFallen else { return }
    guard let value = IntegerText.parse(bytes, count), value > fields[field].lastInteger else {
      fields[field].hasFallen = true
      return
    }
    fields[field].lastInteger = value
  }

  /// What is known of the values of a column; nil when it has no fields.
  func statistics(of column: TablePlan.Column) -> ValueStatistics? {
    var result: ValueStatistics?
    for field in column.fields {
      let values = statistics(of: field, as: column.source)
      if result == nil { result = values } else { result?.merge(values) }
    }
    return result
  }

  /// What is known of the values of a field that goes to a column of some source.
  func statistics(of field: Int, as source: TablePlan.Source) -> ValueStatistics {
    var values = fields[field].statistics
    // Blanks in a record are formatting.
    if source == .text { values = values.withoutBlankValues() }
    if !isRaw { values.declare(fields[field].declared) }
    return values
  }

  mutating func setStatistics(_ statistics: ValueStatistics, of field: Int) {
    fields[field].statistics = statistics
  }

  /// Forgets how many values were seen, but not what they were like, before another reading.
  mutating func restartCounts() {
    for index in fields.indices { fields[index].statistics.restartCounts() }
  }
}
