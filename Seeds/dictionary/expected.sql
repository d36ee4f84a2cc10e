-- A dictionary in the shape of JMdict: entities declared inside the document expand, also those
-- that use others, and a default that the internal DTD declares for an attribute is a value like
-- any other. k_ele has one plain child that never repeats: it is a record, not a wrapper.
-- ent_seq is unique and integer but is not called id, so entry has a key of its own.
CREATE TABLE entry (id INTEGER PRIMARY KEY, ent_seq INTEGER NOT NULL);
CREATE TABLE gloss (id INTEGER PRIMARY KEY, sense_id INTEGER NOT NULL REFERENCES sense, lang TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE k_ele (id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entry, keb TEXT NOT NULL);
CREATE TABLE r_ele (id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entry, reb TEXT NOT NULL, re_pri TEXT);
CREATE TABLE sense (id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entry, pos TEXT NOT NULL);
CREATE INDEX gloss_sense_id ON gloss (sense_id);
CREATE INDEX k_ele_entry_id ON k_ele (entry_id);
CREATE INDEX r_ele_entry_id ON r_ele (entry_id);
CREATE INDEX sense_entry_id ON sense (entry_id);
INSERT INTO "entry" VALUES (1,1584660);
INSERT INTO "entry" VALUES (2,1000000);
INSERT INTO "gloss" VALUES (1,1,'eng','tomorrow');
INSERT INTO "gloss" VALUES (2,1,'eng','near future & later');
INSERT INTO "gloss" VALUES (3,1,'ger','morgen');
INSERT INTO "gloss" VALUES (4,2,'eng','repetition mark in katakana');
INSERT INTO "k_ele" VALUES (1,1,'明日');
INSERT INTO "r_ele" VALUES (1,1,'あした','ichi1');
INSERT INTO "r_ele" VALUES (2,1,'あす',NULL);
INSERT INTO "r_ele" VALUES (3,2,'ヽ',NULL);
INSERT INTO "sense" VALUES (1,1,'noun (common) (futsuumeishi) or adverb (fukushi)');
INSERT INTO "sense" VALUES (2,2,'noun (common) (futsuumeishi)');
