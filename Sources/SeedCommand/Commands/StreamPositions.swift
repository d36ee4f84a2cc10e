import SeedModel
import SeedSQLite
import SeedStreams

/// Where a database stands in its streams, for people and for programs.
enum StreamPositions {
  /// Reads the positions.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  static func read(from connection: Connection) throws(SQLiteError) -> [StreamCursor] {
    do throws(CursorError) {
      return try CursorTables.cursors(in: connection)
    } catch {
      // Positions themselves have no form that could be wrong.
      guard case .database(let cause) = error else { return [] }
      throw cause
    }
  }

  /// A row a stream for the head of a report.
  static func rows(of streams: [StreamCursor]) -> [[String]] {
    streams.map { cursor in
      let place = "\(cursor.position.epoch)/\(cursor.position.seq)"
      return [
        "stream", TerminalText.escaped("\(cursor.stream) at \(place), \(cursor.position.id)"),
      ]
    }
  }

  static func json(of streams: [StreamCursor]) -> JSONValue {
    .array(
      streams.map { cursor in
        [
          "stream": .string(cursor.stream), "epoch": .integer(cursor.position.epoch),
          "seq": .integer(cursor.position.seq), "id": .string(cursor.position.id),
        ]
      })
  }
}
