-- The shape of a Stack Exchange dump: a byte order mark, CR LF line ends, one flat row element.
-- Id is unique and integer, so it is the key where it stands. Optional attributes are NULL
-- where a row lacks them, an empty one is ''; zone-less times stay as they are written; the
-- columns that only the second row has come after those of the first.
CREATE TABLE "row" (Id INTEGER PRIMARY KEY, PostTypeId INTEGER NOT NULL, AcceptedAnswerId INTEGER, CreationDate DATETIME NOT NULL, Score INTEGER NOT NULL, ViewCount INTEGER, Body TEXT NOT NULL, OwnerUserId INTEGER, LastActivityDate DATETIME NOT NULL, Title TEXT, Tags TEXT, AnswerCount INTEGER, CommentCount INTEGER NOT NULL, ContentLicense TEXT NOT NULL, ParentId INTEGER, LastEditorDisplayName TEXT);
INSERT INTO "row" VALUES (4,1,7,'2008-07-31T21:42:52.667',12,7063,'<p>How long do I boil an egg?</p>' || char(10) || '<p>It is &quot;large&quot;.</p>',8,'2022-09-08T05:07:26.033','How long does an egg boil?','<eggs><boiling>',1,0,'CC BY-SA 4.0',NULL,NULL);
INSERT INTO "row" VALUES (6,1,NULL,'2008-07-31T22:08:08.620',0,319,'',NULL,'2008-07-31T22:08:08.620','Ist Spätzle Teig?','<flour>',0,0,'CC BY-SA 2.5',NULL,NULL);
INSERT INTO "row" VALUES (7,2,NULL,'2008-07-31T22:17:57.883',-1,NULL,'<p>Six minutes.</p>' || char(13) || char(10),9,'2019-10-21T14:03:54.607',NULL,NULL,NULL,2,'CC BY-SA 3.0',4,'guest');
