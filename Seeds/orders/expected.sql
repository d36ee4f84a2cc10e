-- Records below records. Items is a wrapper (no attributes, no text, one kind of child that
-- repeats) and leaves no trace; Customer, Item and note refer to their Order, whose own id
-- attribute is the key because it is present, unique and integer on every Order. comment
-- occurs at most once and is plain, so it is a column; note occurs twice, so it is a table.
-- number keeps its leading zeros; every price has two decimals, so prices are REAL.
CREATE TABLE Customer (id INTEGER PRIMARY KEY, Order_id INTEGER NOT NULL REFERENCES "Order", number TEXT NOT NULL, name TEXT NOT NULL, email TEXT);
CREATE TABLE Item (id INTEGER PRIMARY KEY, Order_id INTEGER NOT NULL REFERENCES "Order", sku TEXT NOT NULL, quantity INTEGER NOT NULL, price REAL NOT NULL);
CREATE TABLE "Order" (id INTEGER PRIMARY KEY, placed DATETIME NOT NULL, paid BOOLEAN NOT NULL, comment TEXT);
CREATE TABLE note (id INTEGER PRIMARY KEY, Order_id INTEGER NOT NULL REFERENCES "Order", text TEXT NOT NULL);
CREATE INDEX Customer_Order_id ON Customer (Order_id);
CREATE INDEX Item_Order_id ON Item (Order_id);
CREATE INDEX note_Order_id ON note (Order_id);
INSERT INTO "Customer" VALUES (1,1007,'00017','Ada Byron','ada@example.com');
INSERT INTO "Customer" VALUES (2,1005,'00108','Søren Ørsted',NULL);
INSERT INTO "Customer" VALUES (3,1012,'00017','Ada Byron','ada@example.com');
INSERT INTO "Item" VALUES (1,1007,'TEA-1',2,12.5);
INSERT INTO "Item" VALUES (2,1007,'CUP-9',1,3.0);
INSERT INTO "Item" VALUES (3,1005,'TEA-1',10,11.9);
INSERT INTO "Order" VALUES (1005,'2024-02-28T18:05:12Z',0,'Replaces an order that was ''lost''');
INSERT INTO "Order" VALUES (1007,'2024-03-01T09:30:00Z',1,NULL);
INSERT INTO "Order" VALUES (1012,'2024-03-02T00:00:00Z',1,NULL);
INSERT INTO "note" VALUES (1,1007,'Ring twice.');
INSERT INTO "note" VALUES (2,1007,'Leave it at the door & call.');
INSERT INTO "note" VALUES (3,1012,'Gift, no invoice.');
