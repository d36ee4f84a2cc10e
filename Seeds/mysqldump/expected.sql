-- mysqldump --xml: each table_data is a table, each field a column, xsi:nil is NULL. A table without
-- rows has its columns from its structure. Types follow from the values.
CREATE TABLE coupon (id INTEGER PRIMARY KEY, code TEXT, percent TEXT);
CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, added DATE);
INSERT INTO "item" VALUES (7,'Nuts & bolts',1.5,'2024-02-29');
INSERT INTO "item" VALUES (9,'',NULL,NULL);
