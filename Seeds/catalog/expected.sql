-- Child elements instead of attributes. A plain child that occurs at most once is a column, one
-- that repeats (tag) is a table; images and group are a wrapper in a wrapper. id is not integer,
-- so the key that is made is called _id. Values that a conversion would change are not converted:
-- code keeps 007, size tells 1.10 from 1.1; weight reads back as the same numbers. An empty stock
-- is NULL in a column of integers, an empty name is ''. order is a word of SQL, so it is quoted.
CREATE TABLE image (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product, file TEXT NOT NULL);
CREATE TABLE product (_id INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, size TEXT NOT NULL, weight REAL NOT NULL, stock INTEGER, "order" TEXT);
CREATE TABLE tag (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product, text TEXT NOT NULL);
CREATE INDEX image_product_id ON image (product_id);
CREATE INDEX tag_product_id ON tag (product_id);
INSERT INTO "image" VALUES (1,1,'a.png');
INSERT INTO "image" VALUES (2,1,'b.png');
INSERT INTO "image" VALUES (3,3,'c.png');
INSERT INTO "product" VALUES (1,'P-1','Kettle','007','1.10',1.25,NULL,NULL);
INSERT INTO "product" VALUES (2,'P-2','','12','1.1',0.5,9223372036854775807,'last');
INSERT INTO "product" VALUES (3,'P-3','Cup','13','2',3.0,-4,NULL);
INSERT INTO "tag" VALUES (1,1,'kitchen');
INSERT INTO "tag" VALUES (2,1,'steel');
INSERT INTO "tag" VALUES (3,2,' loose ');
