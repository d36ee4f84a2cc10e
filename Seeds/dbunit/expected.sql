-- DBUnit's flat XML: the element is the table, its attributes are the columns, and an attribute
-- that is missing is NULL. The document names a DTD, which is not loaded. ID is a key, PERSON_ID
-- repeats and is not, so ADDRESS gets a key of its own. YES and NO are booleans, but a column
-- of nothing but NO (a country, for instance) is text; a ZIP keeps its zeros.
CREATE TABLE ADDRESS (id INTEGER PRIMARY KEY, PERSON_ID INTEGER NOT NULL, STREET TEXT NOT NULL, ZIP TEXT NOT NULL, SHARE REAL);
CREATE TABLE PERSON (ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL, BORN DATE, MANAGER_ID INTEGER, ACTIVE BOOLEAN);
CREATE TABLE ROLE (id INTEGER PRIMARY KEY, CODE TEXT NOT NULL, LABEL TEXT NOT NULL);
INSERT INTO "ADDRESS" VALUES (1,1,'Calle Sol 5','00601',NULL);
INSERT INTO "ADDRESS" VALUES (2,2,'1 "High" St','10115',0.5);
INSERT INTO "ADDRESS" VALUES (3,2,'Rue de l''Étang 3','75001',0.25);
INSERT INTO "PERSON" VALUES (1,'Ann','1970-05-17',NULL,NULL);
INSERT INTO "PERSON" VALUES (2,'Bo',NULL,1,NULL);
INSERT INTO "PERSON" VALUES (3,'','1999-12-31',1,0);
INSERT INTO "PERSON" VALUES (4,'Di',NULL,NULL,1);
INSERT INTO "ROLE" VALUES (1,'NO','Norway desk');
