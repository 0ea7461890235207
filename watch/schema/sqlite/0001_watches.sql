-- Keys that rows are sealed with, by the digest of the key: the keys themselves are in a file. One is current.
CREATE TABLE watch_key (
	id         TEXT PRIMARY KEY,
	current    INTEGER NOT NULL, -- 1 for the one that is sealed with
	created_at INTEGER NOT NULL
) STRICT;

-- Households that people left, with the figures they care about: all of it sealed.
CREATE TABLE watch_watch (
	id         TEXT PRIMARY KEY,
	user_key   TEXT NOT NULL,    -- the owner, as ids are compared
	user_id    TEXT NOT NULL,
	version    INTEGER NOT NULL, -- raised by every change
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	warned     INTEGER NOT NULL, -- 1: the owner knows that it expires
	key_id     TEXT NOT NULL,
	sealed     BLOB NOT NULL
) STRICT;
CREATE INDEX watch_watch_user ON watch_watch (user_key, created_at);
CREATE INDEX watch_watch_expires ON watch_watch (expires_at, warned);
CREATE INDEX watch_watch_key ON watch_watch (key_id);

-- Runs over all watches. Nothing in a row is about a person.
CREATE TABLE watch_run (
	id          TEXT PRIMARY KEY,
	created_at  INTEGER NOT NULL,
	changed_at  INTEGER NOT NULL,
	created_by  TEXT NOT NULL,
	state       TEXT NOT NULL,
	send        INTEGER NOT NULL, -- 1: messages are to be sent
	spec        TEXT NOT NULL,    -- the two laws, the period, the texts; JSON
	at          TEXT NOT NULL,    -- the last watch that is computed
	total       INTEGER NOT NULL,
	computed    INTEGER NOT NULL,
	left_period INTEGER NOT NULL, -- watches that do not take part, by reason
	left_figure INTEGER NOT NULL,
	left_failed INTEGER NOT NULL,
	told        INTEGER NOT NULL, -- watches whose owners are to be told
	sent        INTEGER NOT NULL,
	unsent      INTEGER NOT NULL, -- messages that were refused
	report      TEXT NOT NULL,    -- JSON; '' before there is one
	failure     TEXT NOT NULL,    -- why it failed
	lease       TEXT NOT NULL,    -- the node that runs it
	lease_until INTEGER NOT NULL
) STRICT;
CREATE INDEX watch_run_created ON watch_run (created_at);
CREATE INDEX watch_run_state ON watch_run (state);

-- What a run found for the watches whose owners are to be told, until the run has ended.
CREATE TABLE watch_outcome (
	run_id   TEXT NOT NULL,
	watch_id TEXT NOT NULL,
	user_key TEXT NOT NULL,
	version  INTEGER NOT NULL, -- of the watch
	state    INTEGER NOT NULL, -- 1 to be told, 2 the message is written, 3 sent, 4 refused
	key_id   TEXT NOT NULL,
	sealed   BLOB NOT NULL,    -- figures under both laws; from state 2 on the message
	PRIMARY KEY (run_id, watch_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_outcome_state ON watch_outcome (run_id, state, watch_id);
CREATE INDEX watch_outcome_watch ON watch_outcome (watch_id);
CREATE INDEX watch_outcome_key ON watch_outcome (key_id);

-- Legislations that were in force here, the newest last.
CREATE TABLE watch_law (
	seq     INTEGER PRIMARY KEY,
	name    TEXT NOT NULL,
	version TEXT NOT NULL,
	since   INTEGER NOT NULL
) STRICT;
