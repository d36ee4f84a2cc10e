-- Mixed content: the text of a para is in its text column, run after run, exactly as written;
-- what stood between is in columns (em, at most once a para) and tables (term, repeated), and
-- a warning says that the order of text and children is not kept. Blank runs are formatting:
-- the third para has no text. Text that is all there is keeps its spaces and line breaks.
CREATE TABLE article (id INTEGER PRIMARY KEY, lang TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE para (id INTEGER PRIMARY KEY, article_id INTEGER NOT NULL REFERENCES article, text TEXT, em TEXT);
CREATE TABLE term (id INTEGER PRIMARY KEY, para_id INTEGER NOT NULL REFERENCES para, text TEXT NOT NULL);
CREATE INDEX para_article_id ON para (article_id);
CREATE INDEX term_para_id ON term (para_id);
INSERT INTO "article" VALUES (1,'en','On boiling');
INSERT INTO "article" VALUES (2,'de','Über' || char(10) || 'Eis');
INSERT INTO "para" VALUES (1,1,'Water  boils at  or  here.','never');
INSERT INTO "para" VALUES (2,1,'  Plain, with two leading spaces.',NULL);
INSERT INTO "para" VALUES (3,1,NULL,NULL);
INSERT INTO "para" VALUES (4,2,'A <tag> in <cdata> & more.',NULL);
INSERT INTO "term" VALUES (1,1,'90');
INSERT INTO "term" VALUES (2,1,'95 °C');
INSERT INTO "term" VALUES (3,3,'Steam');
INSERT INTO "term" VALUES (4,3,'Ice');
