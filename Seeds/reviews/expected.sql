-- One element below several parents: one table, one nullable reference for each kind of parent,
-- in the order in which they are met. The third kind, the root, is a container that is never
-- referred to, although its attribute makes it a one-row table.
CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE director (id INTEGER PRIMARY KEY, film_id INTEGER NOT NULL REFERENCES film, name TEXT NOT NULL);
CREATE TABLE film (id INTEGER PRIMARY KEY, year INTEGER NOT NULL, title TEXT NOT NULL);
CREATE TABLE media (id INTEGER PRIMARY KEY, updated DATE NOT NULL);
CREATE TABLE review (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book, stars INTEGER NOT NULL, text TEXT NOT NULL, film_id INTEGER REFERENCES film, verified BOOLEAN);
CREATE INDEX director_film_id ON director (film_id);
CREATE INDEX review_book_id ON review (book_id);
CREATE INDEX review_film_id ON review (film_id);
INSERT INTO "book" VALUES (1,'978-0-14-044913-6','The Odyssey');
INSERT INTO "director" VALUES (1,1,'Ridley Scott');
INSERT INTO "film" VALUES (1,1982,'Blade Runner');
INSERT INTO "media" VALUES (1,'2024-05-01');
INSERT INTO "review" VALUES (1,1,5,'Still moving.',NULL,NULL);
INSERT INTO "review" VALUES (2,1,4,'Long.',NULL,NULL);
INSERT INTO "review" VALUES (3,NULL,5,'Rain.',1,1);
INSERT INTO "review" VALUES (4,NULL,3,'A fine collection.',NULL,NULL);
