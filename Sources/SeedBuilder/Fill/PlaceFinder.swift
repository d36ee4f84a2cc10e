internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Finds where in the inputs values and records stand, for errors about what was read long before.
///
/// The inputs are read once more, up to the last of what is looked for: their readers say where
/// tokens stand only when they are asked.
struct PlaceFinder {
  let staged: StagedInput

  typealias Place = PlaceResolution.Place

  /// The place of one value; with its line only where no more can be told.
  func place(of spot: ValueSpot) -> Place {
    places(of: [spot])[spot] ?? rough(spot)
  }

  /// The places of values.
  func places(of spots: some Sequence<ValueSpot>) -> [ValueSpot: Place] {
    var result: [ValueSpot: Place] = [:]
    for (document, spots) in Dictionary(
      grouping: Set(spots), by: { staged.document(of: $0.place) })
    {
      // Without a line there is no text, as in a binary property list: the file is all there is.
      for spot in spots where spot.line <= 0 { result[spot] = rough(spot) }
      let spots = spots.filter { $0.line > 0 }
      let tokens = tokens(of: spots, document)
      let places = staged.documents[document].places(of: tokens.compactMap(\.self))
      for (spot, token) in zip(spots, tokens) {
        result[spot] = token.flatMap { places[$0] } ?? rough(spot)
      }
    }
    return result
  }

  private func rough(_ spot: ValueSpot) -> Place {
    staged.documents[staged.document(of: spot.place)].roughPlace(line: spot.line)
  }

  /// What the input's reader says of where values stand.
  private func tokens(of spots: [ValueSpot], _ document: Int) -> [TokenPlace?] {
    let none = spots.map { _ in nil as TokenPlace? }
    guard !spots.isEmpty else { return none }
    // An error is worth saying also where its place cannot be found.
    let found = Result {
      let search = Search(try requests(for: spots, document))
      try staged.documents[document].readTokens { batch in
        search.tokens.take(batch)
        return search.tokens.isDone
      }
      return search.tokens.places
    }
    return (try? found.get()) ?? none
  }

  private final class Search {
    var tokens: TokenSearch

    init(_ requests: [TokenSearch.Request]) {
      tokens = TokenSearch(requests)
    }
  }

  /// The same in the numbers of the input's own reader, which starts at 0.
  private func requests(
    for spots: [ValueSpot], _ document: Int
  ) throws -> [TokenSearch.Request] {
    let firstPlace = staged.facts.roots[document]
    let isOwn = { (field: Int) in
      staged.document(of: staged.facts.fields[field].place) == document
    }
    let firstField = staged.facts.fields.indices.first(where: isOwn) ?? 0
    return try spots.map { spot in
      TokenSearch.Request(
        record: try spot.record.map { ($0.place - firstPlace, try number(of: $0)) },
        fields: Set(spot.fields.filter(isOwn).map { $0 - firstField }), value: spot.value)
    }
  }

  /// Which one a record is of those at its place, from 1.
  private func number(of record: ValueSpot.Record) throws -> Int {
    guard let table = staged.tables.first(where: { $0.places.contains(record.place) }) else {
      return 0
    }
    return Int(
      try staged.connection.scalarInteger(
        """
        SELECT count(*) FROM \(table.sqlName) WHERE \(StagedInput.placeColumn) = \(record.place)
          AND \(StagedInput.ordinalColumn) <= \(record.ordinal)
        """) ?? 0)
  }
}
