-- Namespaces: a prefix is dropped (lib:shelf is shelf, dc:creator is creator, xml:lang is lang)
-- unless two different names would become one. x:book and y:book are two tables that keep their
-- prefixes; title and dc:title are two columns of x:book, while y:book's dc:title is alone in
-- its table and is title. Declarations of namespaces are not data: the root has none.
CREATE TABLE chapter (id INTEGER PRIMARY KEY, "x:book_id" INTEGER NOT NULL REFERENCES "x:book", pages INTEGER NOT NULL);
CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
CREATE TABLE "x:book" (id INTEGER PRIMARY KEY, title TEXT NOT NULL, "dc:title" TEXT NOT NULL, lang TEXT NOT NULL, creator TEXT NOT NULL);
CREATE TABLE "y:book" (id INTEGER PRIMARY KEY, title TEXT NOT NULL, minutes INTEGER NOT NULL);
CREATE INDEX "chapter_x:book_id" ON chapter ("x:book_id");
INSERT INTO "chapter" VALUES (1,1,12);
INSERT INTO "chapter" VALUES (2,1,9);
INSERT INTO "shelf" VALUES (1,'A–E');
INSERT INTO "x:book" VALUES (1,'Emma (cloth)','Emma','en','Jane Austen');
INSERT INTO "y:book" VALUES (1,'Emma, read aloud',920);
INSERT INTO "y:book" VALUES (2,'Effi Briest',611);
