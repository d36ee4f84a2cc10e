-- The smallest useful seed: one repeated element is one table, its attribute is a column.
-- Every value has the form dd.MM.yyyy, so the column is a DATE and holds ISO 8601 text.
CREATE TABLE Event (id INTEGER PRIMARY KEY, timeStamp DATE NOT NULL);
INSERT INTO "Event" VALUES (1,'2010-01-16');
INSERT INTO "Event" VALUES (2,'2010-02-01');
INSERT INTO "Event" VALUES (3,'2010-03-05');
