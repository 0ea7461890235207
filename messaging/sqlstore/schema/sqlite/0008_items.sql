-- The position of an item's latest correction, 0 for none. What a stream that was away has missed is found by channel.
ALTER TABLE item ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
CREATE INDEX item_corrected ON item (channel, edited) WHERE edited <> 0;

-- Subscriptions that ask to be woken for items (1), and how far that has come: done is the last item that everybody was woken for; while
-- upto is not 0, those with subscriptions up to reached were woken for the items up to upto.
ALTER TABLE subscription ADD COLUMN wake INTEGER NOT NULL DEFAULT 0;
CREATE INDEX subscription_asking ON subscription (channel) WHERE wake <> 0;
CREATE TABLE waking (
	channel INTEGER PRIMARY KEY,
	done    INTEGER NOT NULL,
	upto    INTEGER NOT NULL,
	reached INTEGER NOT NULL
) STRICT;

-- When a push went to a device that has not connected since, 0 for never.
ALTER TABLE device ADD COLUMN woken INTEGER NOT NULL DEFAULT 0;

-- The item that a place in the queue of wake-ups is for, 0 for none; messages are found by their copies.
ALTER TABLE wakeup ADD COLUMN channel INTEGER NOT NULL DEFAULT 0;
ALTER TABLE wakeup ADD COLUMN item INTEGER NOT NULL DEFAULT 0;
