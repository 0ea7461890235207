-- How far users have read. base is channel.published as it was at upto; at is the position of the latest change.
CREATE TABLE reading (
	person  INTEGER NOT NULL,
	channel INTEGER NOT NULL,
	upto    INTEGER NOT NULL,
	base    INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (person, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_by_at ON reading (person, at);
CREATE INDEX reading_by_channel ON reading (channel);

-- published counts the items that a channel ever kept, and base is what it was when a subscription was made; -1 for one from before.
-- As kept it is exact for the items up to counted.
ALTER TABLE channel ADD COLUMN published INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscription ADD COLUMN base INTEGER NOT NULL DEFAULT -1;

-- Items that were deleted one by one, as long as retention has not come to them.
CREATE TABLE deleted_item (
	channel INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (channel, at)
) STRICT, WITHOUT ROWID;
