-- What ties a person to a channel besides a subscription, and the latest change of it: at is its position in the log, 0 for
-- one from before changes were in the log. A row that holds neither is there so that streams that were away hear of the
-- change, until the sweeper comes.
CREATE TABLE tie (
	channel INTEGER NOT NULL,
	person  INTEGER NOT NULL,
	invited INTEGER NOT NULL,
	banned  INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	change  TEXT NOT NULL,
	PRIMARY KEY (channel, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX tie_by_person ON tie (person, at);
CREATE INDEX tie_invited ON tie (channel, person) WHERE invited = 1;
CREATE INDEX tie_banned ON tie (channel, person) WHERE banned = 1;
CREATE INDEX tie_over ON tie (at) WHERE invited = 0 AND banned = 0;

INSERT INTO tie (channel, person, invited, banned, at, change)
	SELECT channel, person, 1, 0, 0, 'invited' FROM invitation;
DROP TABLE invitation;

-- Channels that were deleted, for as long as those who were subscribed may hear of it: their subscriptions and ties stay as long.
-- name is the full one. Rows of the table purge that have yet to remove a channel become such rows.
CREATE TABLE gone (
	channel INTEGER PRIMARY KEY,
	name    TEXT NOT NULL,
	at      INTEGER NOT NULL
) STRICT;
CREATE INDEX gone_by_at ON gone (at);
INSERT INTO gone (channel, name, at) SELECT DISTINCT channel, '', 0 FROM purge WHERE gone = 1 AND channel <> 0;

-- changed is the position of the last change of the record. creator is 0 while the owner is the one who made the channel.
ALTER TABLE channel ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN creator INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN has_bans INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN wake_preview INTEGER NOT NULL DEFAULT 0;
