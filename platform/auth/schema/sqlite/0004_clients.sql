-- Applications that get tokens: those that users sign in to at the login page, and backends. There are few, and the command
-- line alone changes them.
CREATE TABLE auth_client (
	id         TEXT PRIMARY KEY,
	name_key   TEXT NOT NULL UNIQUE, -- the name as names are compared
	name       TEXT NOT NULL,
	secret     BLOB,                 -- SHA-256; NULL: a public client, which could not keep one
	scope      TEXT NOT NULL,        -- what it may do for itself: words with a space between
	redirects  TEXT NOT NULL,        -- URIs that users may be sent back to, a line each
	created_at INTEGER NOT NULL
) STRICT;

-- Codes of the login page that are not exchanged yet. They live for a minute.
CREATE TABLE auth_code (
	hash       BLOB PRIMARY KEY,     -- SHA-256 of the code
	client_id  TEXT NOT NULL,
	user_key   TEXT NOT NULL,
	generation INTEGER NOT NULL,     -- of the user when the password was found right
	redirect   TEXT NOT NULL,        -- redirect_uri of the request; '' when it had none
	challenge  TEXT NOT NULL,
	scope      TEXT NOT NULL,
	device_id  TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX auth_code_user ON auth_code (user_key, expires_at);
CREATE INDEX auth_code_expires ON auth_code (expires_at);

-- The client that a session was begun with; '' for the password grant and the command line.
ALTER TABLE auth_session ADD COLUMN client_id TEXT NOT NULL DEFAULT '';
CREATE INDEX auth_session_client ON auth_session (client_id) WHERE client_id <> '';
