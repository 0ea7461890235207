-- SQLite ends every entry of an index with the row's key, which is at: named as a column, it was in each entry twice.
DROP INDEX item_by_channel;
CREATE INDEX item_by_channel ON item (channel);
