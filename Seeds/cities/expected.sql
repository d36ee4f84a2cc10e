-- A file as spreadsheets write it: semicolons, CRLF, quotes where they are needed. The file's own id is
-- the key; postal codes keep their zeros; dates and truth values have types.
CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, postal TEXT NOT NULL, founded DATE NOT NULL, area_km2 REAL NOT NULL, capital BOOLEAN NOT NULL, note TEXT NOT NULL);
INSERT INTO "cities" VALUES (1,'Bern','03000','1191-12-06',51.62,1,'');
INSERT INTO "cities" VALUES (2,'Genève','01200','1815-08-07',15.93,0,'two' || char(13) || char(10) || 'lines');
INSERT INTO "cities" VALUES (3,'Zürich','08001','1218-01-01',87.88,0,'the "Limmat" city; by the lake');
