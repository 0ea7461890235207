-- Keys that rows are sealed with, by the digest of the key: the keys themselves are in a file. One is current.
CREATE TABLE watch_key (
	id         text COLLATE "C" PRIMARY KEY,
	current    bigint NOT NULL, -- 1 for the one that is sealed with
	created_at bigint NOT NULL
);

-- Households that people left, with the figures they care about: all of it sealed.
CREATE TABLE watch_watch (
	id         text COLLATE "C" PRIMARY KEY,
	user_key   text COLLATE "C" NOT NULL,    -- the owner, as ids are compared
	user_id    text COLLATE "C" NOT NULL,
	version    bigint NOT NULL, -- raised by every change
	created_at bigint NOT NULL,
	updated_at bigint NOT NULL,
	expires_at bigint NOT NULL,
	warned     bigint NOT NULL, -- 1: the owner knows that it expires
	key_id     text COLLATE "C" NOT NULL,
	sealed     bytea NOT NULL
);
CREATE INDEX watch_watch_user ON watch_watch (user_key, created_at);
CREATE INDEX watch_watch_expires ON watch_watch (expires_at, warned);
CREATE INDEX watch_watch_key ON watch_watch (key_id);

-- Runs over all watches. Nothing in a row is about a person.
CREATE TABLE watch_run (
	id          text COLLATE "C" PRIMARY KEY,
	created_at  bigint NOT NULL,
	changed_at  bigint NOT NULL,
	created_by  text COLLATE "C" NOT NULL,
	state       text COLLATE "C" NOT NULL,
	send        bigint NOT NULL, -- 1: messages are to be sent
	spec        text COLLATE "C" NOT NULL,    -- the two laws, the period, the texts; JSON
	at          text COLLATE "C" NOT NULL,    -- the last watch that is computed
	total       bigint NOT NULL,
	computed    bigint NOT NULL,
	left_period bigint NOT NULL, -- watches that do not take part, by reason
	left_figure bigint NOT NULL,
	left_failed bigint NOT NULL,
	told        bigint NOT NULL, -- watches whose owners are to be told
	sent        bigint NOT NULL,
	unsent      bigint NOT NULL, -- messages that were refused
	report      text COLLATE "C" NOT NULL,    -- JSON; '' before there is one
	failure     text COLLATE "C" NOT NULL,    -- why it failed
	lease       text COLLATE "C" NOT NULL,    -- the node that runs it
	lease_until bigint NOT NULL
);
CREATE INDEX watch_run_created ON watch_run (created_at);
CREATE INDEX watch_run_state ON watch_run (state);

-- What a run found for the watches whose owners are to be told, until the run has ended.
CREATE TABLE watch_outcome (
	run_id   text COLLATE "C" NOT NULL,
	watch_id text COLLATE "C" NOT NULL,
	user_key text COLLATE "C" NOT NULL,
	version  bigint NOT NULL, -- of the watch
	state    bigint NOT NULL, -- 1 to be told, 2 the message is written, 3 sent, 4 refused
	key_id   text COLLATE "C" NOT NULL,
	sealed   bytea NOT NULL,    -- figures under both laws; from state 2 on the message
	PRIMARY KEY (run_id, watch_id)
);
CREATE INDEX watch_outcome_state ON watch_outcome (run_id, state, watch_id);
CREATE INDEX watch_outcome_watch ON watch_outcome (watch_id);
CREATE INDEX watch_outcome_key ON watch_outcome (key_id);

-- Legislations that were in force here, the newest last.
CREATE TABLE watch_law (
	seq     bigint PRIMARY KEY,
	name    text COLLATE "C" NOT NULL,
	version text COLLATE "C" NOT NULL,
	since   bigint NOT NULL
);
