-- NDJSON: each line is a row of the table that is called like the file. A counter beyond 64 bits
-- makes its column text, in which 9007199254740993 keeps its last digit, as it would as an integer.
CREATE TABLE alarm (id INTEGER PRIMARY KEY, readings_id INTEGER NOT NULL REFERENCES readings, code TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE neighbours (id INTEGER PRIMARY KEY, readings_id INTEGER NOT NULL REFERENCES readings, text TEXT NOT NULL);
CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, at DATETIME NOT NULL, celsius REAL, counter TEXT, ok BOOLEAN NOT NULL);
CREATE INDEX alarm_readings_id ON alarm (readings_id);
CREATE INDEX neighbours_readings_id ON neighbours (readings_id);
INSERT INTO "alarm" VALUES (1,3,'E7','no answer');
INSERT INTO "neighbours" VALUES (1,4,'A-01');
INSERT INTO "readings" VALUES (1,'A-01','2024-06-01T00:00:00Z',11.5,'9007199254740993',1);
INSERT INTO "readings" VALUES (2,'A-02','2024-06-01T00:00:00Z',12.0,'18446744073709551615',1);
INSERT INTO "readings" VALUES (3,'A-01','2024-06-01T01:00:00Z',NULL,NULL,0);
INSERT INTO "readings" VALUES (4,'A-02','2024-06-01T01:00:00Z',-0.25,'7',1);
