-- Android's string resources: the markup inside of a text is part of it, entities included. A text
-- without markup is plain. The items of arrays and plurals are rows, whose order is that of their ids.
CREATE TABLE color (id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE item (id INTEGER PRIMARY KEY, "string-array_id" INTEGER REFERENCES "string-array", text TEXT NOT NULL, plurals_id INTEGER REFERENCES plurals, quantity TEXT);
CREATE TABLE plurals (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE string (id INTEGER PRIMARY KEY, name TEXT NOT NULL, translatable BOOLEAN, text TEXT NOT NULL);
CREATE TABLE "string-array" (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE INDEX item_plurals_id ON item (plurals_id);
CREATE INDEX "item_string-array_id" ON item ("string-array_id");
INSERT INTO "color" VALUES (1,'accent','#FF0000');
INSERT INTO "item" VALUES (1,1,'Mercury',NULL,NULL);
INSERT INTO "item" VALUES (2,1,'Venus <i>(hot)</i>',NULL,NULL);
INSERT INTO "item" VALUES (3,NULL,'%d song',1,'one');
INSERT INTO "item" VALUES (4,NULL,'%d songs',1,'other');
INSERT INTO "plurals" VALUES (1,'songs');
INSERT INTO "string" VALUES (1,'app_name',0,'Seed & Co');
INSERT INTO "string" VALUES (2,'welcome',NULL,'Hello <b>World</b> &amp; all');
INSERT INTO "string" VALUES (3,'unread',NULL,'<xliff:g id="count" example="3">%1$d</xliff:g> unread');
INSERT INTO "string" VALUES (4,'html',NULL,'<b>not</b> markup');
INSERT INTO "string-array" VALUES (1,'planets');
