-- Where a user has signed in from, the newest few: guesses from elsewhere do not lock these out.
CREATE TABLE auth_known (
	user_key TEXT NOT NULL,
	place    TEXT NOT NULL,      -- 'a ' and an address, or 'd ' and a device id
	seen_at  INTEGER NOT NULL,
	PRIMARY KEY (user_key, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX auth_known_seen ON auth_known (user_key, seen_at);

-- The sessions of a user from the one that is longest out of use.
DROP INDEX auth_session_user;
CREATE INDEX auth_session_user ON auth_session (user_key, expires_at);

CREATE INDEX auth_revocation_user ON auth_revocation (user_key);
