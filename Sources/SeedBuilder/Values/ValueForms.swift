package import SeedModel

/// The forms that a value, or every value of a column, can be read as.
///
/// A column starts with all forms and loses those that a value does not support; nothing is ever
/// added, so the order and the repetition of values do not matter.
package struct ValueForms: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64

  @inline(__always)
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The set of one date form.
  @inline(__always)
  package init(_ form: DateForm) {
    rawValue = 1 << (ValueForms.firstDateBit + UInt64(form.rawValue))
  }

  /// A canonical 64-bit integer.
  package static var integer: ValueForms { ValueForms(rawValue: 1 << 0) }
  /// A decimal number that a double keeps exactly as written.
  package static var real: ValueForms { ValueForms(rawValue: 1 << 1) }
  /// `true` or `false`.
  package static var booleanTrueFalse: ValueForms { ValueForms(rawValue: 1 << 2) }
  /// `YES` or `NO`.
  package static var booleanYesNo: ValueForms { ValueForms(rawValue: 1 << 3) }

  private static var firstDateBit: UInt64 { 8 }
}

// Computed, not stored: a stored static would be a lazily initialised global in the hot path.
extension ValueForms {
  /// Every form but the declared one, which exists only when a pattern is given.
  package static var undeclared: ValueForms {
    [.integer, .real, .booleanTrueFalse, .booleanYesNo, .knownDates]
  }

  /// The undeclared forms that are left when dates are declared to have a form of their own: the
  /// ISO ones, which mean nothing else, and the declared date with a time behind it.
  static func undeclared(beside pattern: DatePattern) -> ValueForms {
    var forms: ValueForms = [
      .integer, .real, .booleanTrueFalse, .booleanYesNo, ValueForms(.isoDate),
      ValueForms(.isoDateTime), ValueForms(.isoDateTimeBasicZone), ValueForms(.spacedDateTime),
      ValueForms(.spacedDateTimeBasicZone),
    ]
    for timed in DateForm.allCases where timed.dateOnly?.pattern == pattern.text {
      forms.insert(ValueForms(timed))
    }
    return forms
  }

  /// Every date and date-time form that is recognised without being told.
  static var knownDates: ValueForms {
    let count = UInt64(DateForm.monthDashTime.rawValue)
    return ValueForms(rawValue: ((1 << count) - 1) << (firstDateBit + 1))
  }

  /// The forms in which the day stands before the month where the reverse is known too.
  static var dayFirst: ValueForms {
    [
      ValueForms(.daySlash), ValueForms(.daySlashUnpadded), ValueForms(.dayDash),
      ValueForms(.daySlashTime), ValueForms(.daySlashUnpaddedTime), ValueForms(.dayDashTime),
    ]
  }

  /// The forms in which the month stands before the day.
  static var monthFirst: ValueForms {
    [
      ValueForms(.monthSlash), ValueForms(.monthSlashUnpadded), ValueForms(.monthDash),
      ValueForms(.monthSlashTime), ValueForms(.monthSlashUnpaddedTime), ValueForms(.monthDashTime),
    ]
  }

  /// The date form of the lowest raw value in the set; padded forms come before unpadded ones.
  var firstDateForm: DateForm? {
    let bits = rawValue >> ValueForms.firstDateBit
    return bits == 0 ? nil : DateForm(rawValue: UInt8(bits.trailingZeroBitCount))
  }
}
