-- The position of an item's latest correction, 0 for none. What a stream that was away has missed is found by channel.
ALTER TABLE item ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
CREATE INDEX item_corrected ON item (channel, edited) WHERE edited <> 0;
