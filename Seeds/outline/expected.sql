-- A tree: an element below its own kind refers to its parent in parent_id, which is NULL at the
-- top. body is a wrapper, head is a record of its own, and the root is a one-row table because
-- it has an attribute; nothing refers to the root. The file is in ISO-8859-1, the database in
-- UTF-8. text is an attribute here and keeps its name.
CREATE TABLE head (id INTEGER PRIMARY KEY, title TEXT NOT NULL, ownerName TEXT NOT NULL);
CREATE TABLE opml (id INTEGER PRIMARY KEY, version REAL NOT NULL);
CREATE TABLE outline (id INTEGER PRIMARY KEY, text TEXT NOT NULL, parent_id INTEGER REFERENCES outline, url TEXT, created DATE);
CREATE INDEX outline_parent_id ON outline (parent_id);
INSERT INTO "head" VALUES (1,'Lecture d''été','Zoë');
INSERT INTO "opml" VALUES (1,2.0);
INSERT INTO "outline" VALUES (1,'Science',NULL,NULL,NULL);
INSERT INTO "outline" VALUES (2,'Feynman',1,'https://example.com/f?a=1&b=2',NULL);
INSERT INTO "outline" VALUES (3,'Poincaré',1,NULL,'2024-06-03');
INSERT INTO "outline" VALUES (4,'La science et l''hypothèse',3,NULL,NULL);
INSERT INTO "outline" VALUES (5,'Fiction',NULL,NULL,NULL);
INSERT INTO "outline" VALUES (6,'',NULL,NULL,NULL);
INSERT INTO "outline" VALUES (7,'Untitled child',6,NULL,NULL);
