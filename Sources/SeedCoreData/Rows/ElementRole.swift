internal import SeedModel

/// What an element is, by its place and the elements around it; plain memory for the loop.
struct ElementRole {
  enum Kind: UInt8 {
    /// Nothing by itself: what is in it belongs to the element around it.
    case container
    /// Around the objects of a relationship.
    case wrapper
    /// One of these two, or an object: what is in it will tell.
    case undecided
    /// An object.
    case object
    /// A value of the object around it.
    case value
    /// A part of a value that is an array or a dictionary.
    case structure
    /// Left out, with all that is in it.
    case skipped
  }

  var kind: Kind
  let place: Int
  /// The role of the element around it; -1 for the outermost.
  let parent: Int
  /// The object's shape, by number.
  var shape = -1
  /// How the object belongs to the one around it, by number; -1 when it does not.
  var link = -1
  /// The relationship of the object around, by number, of a wrapper or what is undecided.
  var relationship = -1
  /// Where the text goes, by number: see ``Sink``.
  var textSink = Sink.unknown
  /// How many values are kept for objects inside.
  var slotCount = 0
  /// Where the fields go, by their number within their place.
  private(set) var fieldSinks: UnsafeMutablePointer<Int32>
  private(set) var fieldCount = 0
  private var fieldCapacity = 4

  init(_ kind: Kind, place: Int, parent: Int) {
    self.kind = kind
    self.place = place
    self.parent = parent
    fieldSinks = .allocate(capacity: fieldCapacity)
  }

  func deallocate() { fieldSinks.deallocate() }

  /// Sets where a field goes.
  mutating func setSink(_ sink: Int, ofField field: Int) {
    if field >= fieldCapacity {
      let capacity = max(field + 1, fieldCapacity * 2)
      let larger = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
      larger.update(from: fieldSinks, count: fieldCount)
      fieldSinks.deallocate()
      fieldSinks = larger
      fieldCapacity = capacity
    }
    while fieldCount <= field {
      fieldSinks[fieldCount] = Int32(Sink.unknown)
      fieldCount += 1
    }
    fieldSinks[field] = Int32(sink)
  }
}

/// Where a value goes.
struct Sink {
  enum Kind: UInt8 {
    /// A cell of an open object.
    case cell
    /// A natural key that stands for another object.
    case key
    /// Kept for objects inside.
    case slot
    /// A member of an envelope.
    case envelope
  }

  /// Not decided yet.
  static let unknown = -2
  /// Nowhere.
  static let nowhere = -1

  var kind: Kind
  /// How many open objects further out the one is that gets it.
  var level = 0
  var column = -1
  /// How the value is converted, by number.
  var conversion = -1
  /// The rule of a natural key, by number.
  var rule = -1
  /// The role that keeps it, and the slot's number; the number of an envelope's member.
  var role = -1
  var slot = -1
  /// Whether a second value is one of several, and not one too many.
  var takesSeveral = false
  /// Another sink that gets the same value; -1 for none.
  var next = -1
}
