-- A property list in XML: data is a BLOB, empty data an empty one; dates are ISO 8601 in UTC. The
-- root has a version of its own, so it is a one-row table called like the file. The readers are a
-- keyed collection.
CREATE TABLE Library (id INTEGER PRIMARY KEY, version INTEGER NOT NULL);
CREATE TABLE books (id INTEGER PRIMARY KEY, shelves_id INTEGER NOT NULL REFERENCES shelves, title TEXT NOT NULL, pages TEXT NOT NULL, price REAL NOT NULL, bought DATETIME NOT NULL, read BOOLEAN NOT NULL, cover BLOB);
CREATE TABLE readers (id INTEGER PRIMARY KEY, "key" TEXT NOT NULL, colour TEXT NOT NULL, since INTEGER NOT NULL, guest BOOLEAN);
CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE INDEX books_shelves_id ON books (shelves_id);
INSERT INTO "Library" VALUES (1,3);
INSERT INTO "books" VALUES (1,1,'Lakes & Rivers','312',19.5,'2019-05-04T10:30:00Z',1,X'89504E47');
INSERT INTO "books" VALUES (2,1,'Bread','96',8.25,'2020-12-24T00:00:00Z',0,X'');
INSERT INTO "books" VALUES (3,2,'Größe','18446744073709551615',20.0,'2021-01-01T00:00:01Z',0,NULL);
INSERT INTO "readers" VALUES (1,'ana','red',2019,NULL);
INSERT INTO "readers" VALUES (2,'ben','blue',2020,1);
INSERT INTO "readers" VALUES (3,'cem','green',2021,NULL);
INSERT INTO "shelves" VALUES (1,'By the window');
INSERT INTO "shelves" VALUES (2,'Upper');
