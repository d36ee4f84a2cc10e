extension DocumentFacts {
  /// What is known of the last input alone, its places and fields numbered from 0.
  ///
  /// - Parameters:
  ///   - placeBase: The number of its first place.
  ///   - fieldBase: The number of its first field.
  /// - Returns: Its own facts.
  func part(fromPlace placeBase: Int, field fieldBase: Int) -> DocumentFacts {
    let places = places[placeBase...].map { place in
      var place = place
      place.parent = place.parent.map { $0 - placeBase }
      place.children = place.children.map { $0 - placeBase }
      place.attributes = place.attributes.map { $0 - fieldBase }
      place.text = place.text.map { $0 - fieldBase }
      place.recursions = place.recursions.map {
        Recursion(parent: $0.parent - placeBase, order: $0.order)
      }
      return place
    }
    let fields = fields[fieldBase...].map { field in
      var field = field
      field.place -= placeBase
      return field
    }
    return DocumentFacts(rules: rules, isRaw: isRaw, places: places, fields: fields)
  }
}
