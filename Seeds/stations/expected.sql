-- A binary property list, an array: its rows are called like the file. The icon that two of them
-- share is stored once in it; the key is an object number of a keyed archive, an integer here.
CREATE TABLE Stations (id INTEGER PRIMARY KEY, code TEXT NOT NULL, name TEXT NOT NULL, opened DATETIME NOT NULL, tracks INTEGER NOT NULL, "key" INTEGER NOT NULL, icon BLOB NOT NULL);
CREATE TABLE lines (id INTEGER PRIMARY KEY, Stations_id INTEGER NOT NULL REFERENCES Stations, text TEXT NOT NULL);
CREATE TABLE position (id INTEGER PRIMARY KEY, Stations_id INTEGER NOT NULL REFERENCES Stations, north REAL NOT NULL, east REAL NOT NULL);
CREATE INDEX lines_Stations_id ON lines (Stations_id);
CREATE INDEX position_Stations_id ON position (Stations_id);
INSERT INTO "Stations" VALUES (1,'KI','Kiruna','1900-01-15T00:00:00Z',4,7,X'0001020304');
INSERT INTO "Stations" VALUES (2,'京','京都','1877-02-06T00:00:00Z',34,300,X'0001020304');
INSERT INTO "Stations" VALUES (3,'LB','Lübeck','1851-10-15T00:00:00Z',9,8,X'FF');
INSERT INTO "lines" VALUES (1,2,'JR');
INSERT INTO "lines" VALUES (2,2,'近鉄');
INSERT INTO "position" VALUES (1,1,67.8678,20.2);
INSERT INTO "position" VALUES (2,2,34.985,135.758);
INSERT INTO "position" VALUES (3,3,53.8675,10.6697);
