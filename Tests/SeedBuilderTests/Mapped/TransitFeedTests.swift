import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// A transit feed as its public specification (gtfs.org/schedule/reference) has it: comma-separated
/// files called `.txt`, with a byte order mark, CRLF and quoted names, whose rows refer to each other.
@Suite struct TransitFeedTests {
  private static let files = [
    (
      "stop_times.txt",
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\r\n"
        + "AWE1,06:10:00,06:10:00,S1,1\r\nAWE1,25:35:00,25:40:00,S2,2\r\n"
    ),
    ("trips.txt", "route_id,service_id,trip_id\r\nA,WE,AWE1\r\n"),
    (
      "routes.txt",
      "route_id,agency_id,route_short_name,route_long_name,route_type\r\nA,007,17,\"Mission, outbound\",3\r\n"
    ),
    (
      "stops.txt",
      "\u{FEFF}stop_id,stop_name,stop_lat,stop_lon,parent_station\r\n"
        + "S1,\"Market \"\"St\"\"\",37.728631,-122.431282,P\r\nS2,Zürich,47.3769,8.541694,\r\n"
        + "P,Station,37.7,-122.4,\r\n"
    ),
    (
      "agency.txt",
      "agency_id,agency_name,agency_url,agency_timezone\r\n007,Muni,https://a.example,America/Los_Angeles"
    ),
    (
      "calendar.txt",
      "service_id,monday,tuesday,start_date,end_date\r\nWE,0,1,20100116,20101231\r\n"
    ),
  ]

  private static let schema = """
    CREATE TABLE agency(agency_id TEXT PRIMARY KEY, agency_name TEXT NOT NULL, agency_url TEXT,
      agency_timezone TEXT);
    CREATE TABLE routes(route_id TEXT PRIMARY KEY, agency_id TEXT REFERENCES agency,
      route_short_name TEXT, route_long_name TEXT, route_type INTEGER NOT NULL);
    CREATE TABLE calendar(service_id TEXT PRIMARY KEY, monday BOOLEAN, tuesday BOOLEAN,
      start_date TEXT, end_date TEXT);
    CREATE TABLE stops(stop_id TEXT PRIMARY KEY, stop_name TEXT, stop_lat REAL, stop_lon REAL,
      parent_station TEXT REFERENCES stops(stop_id));
    CREATE TABLE trips(trip_id TEXT PRIMARY KEY, route_id TEXT NOT NULL REFERENCES routes,
      service_id TEXT REFERENCES calendar);
    CREATE TABLE stop_times(trip_id TEXT REFERENCES trips, stop_sequence INTEGER,
      arrival_time TEXT, departure_time TEXT, stop_id TEXT REFERENCES stops,
      PRIMARY KEY (trip_id, stop_sequence)) WITHOUT ROWID;
    CREATE INDEX stop_times_stop ON stop_times(stop_id);
    """

  /// An empty reference is no reference, but an empty text of a TEXT column.
  private static let records = [
    "stops.txt": [
      RecordRule(
        "*",
        columns: [
          {
            var rule = ColumnRule("parent_station")
            rule.nullTexts = [""]
            return rule
          }()
        ])
    ]
  ]

  @Test func `all files of a feed fill a schema with foreign keys, in whatever order they come`()
    throws
  {
    let built = try BuiltProject(Self.files, schema: Self.schema, records: Self.records)
    #expect(try built.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try built.rows(
        """
        SELECT stop_name, departure_time, route_long_name, agency_id, monday
        FROM stop_times JOIN stops USING (stop_id) JOIN trips USING (trip_id)
        JOIN routes USING (route_id) JOIN calendar USING (service_id) ORDER BY stop_sequence
        """) == [
          [
            .text("Market \"St\""), .text("06:10:00"), .text("Mission, outbound"), .text("007"),
            .integer(0),
          ],
          [
            .text("Zürich"), .text("25:40:00"), .text("Mission, outbound"), .text("007"),
            .integer(0),
          ],
        ])
    #expect(
      try built.rows("SELECT stop_lat, parent_station FROM stops ORDER BY stop_id") == [
        [.real(37.7), .null], [.real(37.728631), .text("P")], [.real(47.3769), .null],
      ])
  }

  @Test func `a trip of an unknown route is an error with its place`() throws {
    var files = Self.files
    files[1].1 = "route_id,service_id,trip_id\r\nA,WE,AWE1\r\nB,WE,AWE2\r\n"
    let said = try BuiltProject.failure(files, schema: Self.schema, records: Self.records)
    #expect(
      said == [
        "trips.txt:3:1: column \"route_id\" of \"trips\" refers to \"B\", which \"routes\" lacks"
          + " [add the row to routes, or correct the value]"
      ])
  }
}
