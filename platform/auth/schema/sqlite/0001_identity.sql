-- Times are milliseconds since 1970. A key is an id or a name as it is compared: without regard to case.

CREATE TABLE auth_user (
	key        TEXT PRIMARY KEY,
	id         TEXT NOT NULL,
	name_key   TEXT NOT NULL UNIQUE,
	name       TEXT NOT NULL,
	password   TEXT,             -- PHC string; NULL: this user cannot sign in with one
	admin      INTEGER NOT NULL,
	issuer     TEXT,             -- of an external user, with the subject there
	subject    TEXT,
	created_at INTEGER NOT NULL,
	removed_at INTEGER           -- being removed: nobody may act as this user any more
) STRICT;
CREATE INDEX auth_user_removed ON auth_user (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE auth_key (
	id         TEXT PRIMARY KEY,
	seed       BLOB NOT NULL,    -- of the Ed25519 private key
	created_at INTEGER NOT NULL
) STRICT;

-- A session begins with a password and lives as long as its refresh tokens are exchanged in time.
CREATE TABLE auth_session (
	id         TEXT PRIMARY KEY,
	user_key   TEXT NOT NULL,
	device_id  TEXT NOT NULL,    -- '': the user as a whole
	scope      TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX auth_session_user ON auth_session (user_key);
CREATE INDEX auth_session_expires ON auth_session (expires_at);

-- Every refresh token of a session that could still come back; one with used_at is an old one.
CREATE TABLE auth_refresh (
	hash       BLOB PRIMARY KEY, -- SHA-256 of the token
	session_id TEXT NOT NULL,
	used_at    INTEGER,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX auth_refresh_session ON auth_refresh (session_id);
CREATE INDEX auth_refresh_expires ON auth_refresh (expires_at);

-- What must not be accepted although its signature holds, until it would have expired anyway.
-- seq grows with every revocation, so that other processes find the new ones.
CREATE TABLE auth_revocation (
	seq        INTEGER PRIMARY KEY AUTOINCREMENT,
	user_key   TEXT NOT NULL,
	session_id TEXT NOT NULL,    -- '': all of the user's
	token_id   TEXT NOT NULL,    -- '': all of the session's
	until      INTEGER NOT NULL, -- tokens issued up to then
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX auth_revocation_expires ON auth_revocation (expires_at);

-- What a server was told, for the tools beside it.
CREATE TABLE auth_setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;
