-- JSON. Objects within objects are rows that refer to them, arrays are repeated children: values in
-- an array become column text, arrays in an array rows of item. The rooms are a keyed collection:
-- three objects that share half of their names, with their names in column key. A null is an absent
-- value; numbers are taken by value, 4.50 is 4.5; a column with 12.50 is REAL although 301 is in
-- it. The inventory's zeros are in quotes and stay.
CREATE TABLE grid (id INTEGER PRIMARY KEY, objects_id INTEGER NOT NULL REFERENCES objects);
CREATE TABLE item (id INTEGER PRIMARY KEY, grid_id INTEGER NOT NULL REFERENCES grid, text INTEGER NOT NULL);
CREATE TABLE loans (id INTEGER PRIMARY KEY, objects_id INTEGER NOT NULL REFERENCES objects, "to" TEXT NOT NULL, "from" DATE NOT NULL, until DATE);
CREATE TABLE museum (id INTEGER PRIMARY KEY, title TEXT NOT NULL, checked DATE NOT NULL);
CREATE TABLE objects (id INTEGER PRIMARY KEY, name TEXT NOT NULL, inventory TEXT NOT NULL, year INTEGER, weight REAL NOT NULL, onShow BOOLEAN NOT NULL);
CREATE TABLE restored (id INTEGER PRIMARY KEY, objects_id INTEGER NOT NULL REFERENCES objects, "by" TEXT NOT NULL, "on" DATE NOT NULL);
CREATE TABLE rooms (id INTEGER PRIMARY KEY, "key" TEXT NOT NULL, floor INTEGER NOT NULL, height REAL NOT NULL, lamps INTEGER);
CREATE TABLE size (id INTEGER PRIMARY KEY, objects_id INTEGER NOT NULL REFERENCES objects, width INTEGER NOT NULL, height REAL NOT NULL);
CREATE TABLE tags (id INTEGER PRIMARY KEY, objects_id INTEGER NOT NULL REFERENCES objects, text TEXT);
CREATE INDEX grid_objects_id ON grid (objects_id);
CREATE INDEX item_grid_id ON item (grid_id);
CREATE INDEX loans_objects_id ON loans (objects_id);
CREATE INDEX restored_objects_id ON restored (objects_id);
CREATE INDEX size_objects_id ON size (objects_id);
CREATE INDEX tags_objects_id ON tags (objects_id);
INSERT INTO "grid" VALUES (1,108);
INSERT INTO "grid" VALUES (2,108);
INSERT INTO "item" VALUES (1,1,1);
INSERT INTO "item" VALUES (2,1,0);
INSERT INTO "item" VALUES (3,1,1);
INSERT INTO "item" VALUES (4,2,0);
INSERT INTO "item" VALUES (5,2,1);
INSERT INTO "loans" VALUES (1,17,'Åre','2019-05-01','2019-09-30');
INSERT INTO "loans" VALUES (2,17,'Lübeck','2021-01-15',NULL);
INSERT INTO "museum" VALUES (1,'Collection of the town museum','2024-03-01');
INSERT INTO "objects" VALUES (4,'Chart of the "North" coast','0004',1788,1.0,0);
INSERT INTO "objects" VALUES (17,'Café sign 😀','0017',NULL,12.5,1);
INSERT INTO "objects" VALUES (108,'Mosaic','0108',212,301.0,1);
INSERT INTO "restored" VALUES (1,4,'M. Okafor','2020-02-29');
INSERT INTO "rooms" VALUES (1,'hall',0,4.5,12);
INSERT INTO "rooms" VALUES (2,'tower',3,3.0,NULL);
INSERT INTO "rooms" VALUES (3,'cellar',-1,2.25,4);
INSERT INTO "size" VALUES (1,17,120,40.0);
INSERT INTO "size" VALUES (2,4,64,48.5);
INSERT INTO "tags" VALUES (1,17,'wood');
INSERT INTO "tags" VALUES (2,17,'sign');
INSERT INTO "tags" VALUES (3,17,NULL);
INSERT INTO "tags" VALUES (4,108,'stone');
