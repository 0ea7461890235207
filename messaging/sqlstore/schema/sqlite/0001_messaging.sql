-- Users as messaging knows them. Everything refers to a person by number, so an account that goes
-- loses its name in one row (user_id and user_key become NULL) and keeps its items.
CREATE TABLE person (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	user_id  TEXT,
	user_key TEXT UNIQUE -- folded
) STRICT;

-- The end of the log, and the key of public ids. One row.
CREATE TABLE log (
	id     INTEGER PRIMARY KEY CHECK (id = 1),
	head   INTEGER NOT NULL,
	id_key BLOB NOT NULL
) STRICT;

-- space is the namespace: 0 is public, else the person whose private one it is. Ids are never used
-- twice, because what hangs on a deleted channel is removed later.
-- kept and last_at are exact for the items up to counted; later items are counted when asked for.
-- Items up to floor are deleted (and removed later); retention removed items up to trimmed.
CREATE TABLE channel (
	id               INTEGER PRIMARY KEY AUTOINCREMENT,
	space            INTEGER NOT NULL,
	name_key         TEXT NOT NULL,
	name             TEXT NOT NULL,
	owner            INTEGER NOT NULL,
	owner_device     TEXT NOT NULL,
	description      TEXT NOT NULL,
	description_fold TEXT NOT NULL,
	invite_only      INTEGER NOT NULL,
	subscribable     INTEGER NOT NULL,
	permission       INTEGER NOT NULL,
	max_items        INTEGER NOT NULL,
	max_payload      INTEGER NOT NULL,
	created          INTEGER NOT NULL,
	modified         INTEGER NOT NULL,
	kept             INTEGER NOT NULL DEFAULT 0,
	counted          INTEGER NOT NULL DEFAULT 0,
	last_at          INTEGER NOT NULL DEFAULT 0,
	floor            INTEGER NOT NULL DEFAULT 0,
	trimmed          INTEGER NOT NULL DEFAULT 0,
	UNIQUE (space, name_key)
) STRICT;
CREATE INDEX channel_by_owner ON channel (owner);

-- Substring search: which channels have a trigram in which column. The texts are folded before they
-- come here; where the trigrams stand is not kept, the hits are compared with the text.
CREATE VIRTUAL TABLE channel_text USING fts5 (
	name, description, tokenize = 'trigram case_sensitive 1', detail = column, content = '', contentless_delete = 1
);

CREATE TABLE tag (
	channel INTEGER NOT NULL,
	tag_key TEXT NOT NULL, -- folded
	tag     TEXT NOT NULL,
	PRIMARY KEY (channel, tag_key)
) STRICT;
CREATE INDEX tag_by_key ON tag (tag_key, channel);

CREATE TABLE subscription (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	channel INTEGER NOT NULL,
	person  INTEGER NOT NULL,
	device  TEXT NOT NULL,
	since   INTEGER NOT NULL,
	UNIQUE (channel, person, device)
) STRICT;
CREATE INDEX subscription_by_person ON subscription (person);

CREATE TABLE invitation (
	channel INTEGER NOT NULL,
	person  INTEGER NOT NULL,
	PRIMARY KEY (channel, person)
) STRICT;
CREATE INDEX invitation_by_person ON invitation (person);

-- at is the position in the log. It holds the time and makes the public id: one index suffices.
CREATE TABLE item (
	at           INTEGER PRIMARY KEY,
	channel      INTEGER NOT NULL,
	publisher    INTEGER NOT NULL,
	device       TEXT NOT NULL,
	message_type TEXT NOT NULL,
	content_type TEXT NOT NULL,
	content      BLOB NOT NULL
) STRICT;
CREATE INDEX item_by_channel ON item (channel, at);

-- due is when the sweeper has to look at the message next: when it expires, and again when its
-- status is no longer kept. Content is NULL once it has expired.
CREATE TABLE message (
	at       INTEGER PRIMARY KEY,
	sender   INTEGER NOT NULL,
	device   TEXT NOT NULL,
	receipt  INTEGER NOT NULL,
	expires  INTEGER NOT NULL,
	due      INTEGER NOT NULL,
	content  BLOB,
	metadata BLOB
) STRICT;
CREATE INDEX message_by_due ON message (due);

CREATE TABLE delivery (
	recipient INTEGER NOT NULL,
	message   INTEGER NOT NULL,
	device    TEXT NOT NULL,
	state     INTEGER NOT NULL,
	received  INTEGER NOT NULL,
	PRIMARY KEY (recipient, message, device)
) STRICT;
CREATE INDEX delivery_by_message ON delivery (message);
CREATE INDEX delivery_unclaimed ON delivery (recipient, message) WHERE device = '';

CREATE TABLE device (
	person       INTEGER NOT NULL,
	device       TEXT NOT NULL,
	label        TEXT NOT NULL,
	platform     TEXT NOT NULL,
	push_service TEXT NOT NULL,
	push_target  BLOB,
	created      INTEGER NOT NULL,
	PRIMARY KEY (person, device)
) STRICT;

-- Outcomes under idempotency keys. at orders them by age.
CREATE TABLE remembered (
	at      INTEGER PRIMARY KEY,
	person  INTEGER NOT NULL,
	channel INTEGER NOT NULL,
	key     TEXT NOT NULL,
	body    BLOB NOT NULL,
	answer  BLOB,
	UNIQUE (person, channel, key)
) STRICT;

-- What is deleted but not yet removed: the items of a channel up to a position, all that hangs on a
-- channel that is gone (gone = 1), or the inbox of a person that is gone (channel 0).
CREATE TABLE purge (
	id      INTEGER PRIMARY KEY,
	channel INTEGER NOT NULL,
	person  INTEGER NOT NULL,
	upto    INTEGER NOT NULL,
	gone    INTEGER NOT NULL
) STRICT;
