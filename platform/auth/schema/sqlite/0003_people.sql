-- Profiles; accounts that are closed for a while; when somebody was last there.
ALTER TABLE auth_user ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
ALTER TABLE auth_user ADD COLUMN avatar_url TEXT NOT NULL DEFAULT '';
ALTER TABLE auth_user ADD COLUMN disabled_at INTEGER;                   -- nobody may act as this user meanwhile
ALTER TABLE auth_user ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;    -- to within some minutes; 0: not since this is kept
ALTER TABLE auth_user ADD COLUMN generation INTEGER NOT NULL DEFAULT 0; -- raised by what ends all sessions: a sign-in begun before does not outlive it
ALTER TABLE auth_user ADD COLUMN erase INTEGER NOT NULL DEFAULT 0;      -- of a user being removed: what they published is emptied
ALTER TABLE auth_user ADD COLUMN search TEXT NOT NULL DEFAULT '';       -- name, display name and id as they are compared, a line each
UPDATE auth_user SET search = name_key || char(10) || char(10) || key;

-- A session begins with a password, or is one token of the command line (kind 'token').
ALTER TABLE auth_session ADD COLUMN kind TEXT NOT NULL DEFAULT 'password';
ALTER TABLE auth_session ADD COLUMN address TEXT NOT NULL DEFAULT '';     -- where it was last used from, as far as tokens were exchanged
ALTER TABLE auth_session ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0; -- 0: before this was kept
ALTER TABLE auth_session ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE auth_session ADD COLUMN rotated BLOB;                         -- SHA-256 of the refresh token exchanged last
ALTER TABLE auth_session ADD COLUMN rotated_at INTEGER NOT NULL DEFAULT 0;
UPDATE auth_session SET seen_at = expires_at - 2592000000;

-- The sessions of a user from the one that is longest out of use.
DROP INDEX auth_session_user;
CREATE INDEX auth_session_user ON auth_session (user_key, kind, seen_at);

-- Of a revocation of all of a user's tokens: the session that keeps its own.
ALTER TABLE auth_revocation ADD COLUMN spared TEXT NOT NULL DEFAULT '';

-- Codes that set a new password, one per user.
CREATE TABLE auth_reset (
	user_key   TEXT PRIMARY KEY,
	hash       BLOB NOT NULL UNIQUE, -- SHA-256 of the code
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX auth_reset_expires ON auth_reset (expires_at);

-- Who did what to whom. Rows go when they are too old, and never change.
CREATE TABLE auth_audit (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT,
	at        INTEGER NOT NULL,
	act       TEXT NOT NULL,
	actor_key TEXT NOT NULL, -- '': nobody signed in, or the command line
	actor     TEXT NOT NULL,
	via       TEXT NOT NULL, -- 'http' or 'command line'
	user_key  TEXT NOT NULL, -- '': nobody in particular
	user_id   TEXT NOT NULL,
	address   TEXT NOT NULL,
	detail    TEXT NOT NULL
) STRICT;
CREATE INDEX auth_audit_user ON auth_audit (user_key);
CREATE INDEX auth_audit_actor ON auth_audit (actor_key);
CREATE INDEX auth_audit_at ON auth_audit (at);
CREATE TRIGGER auth_audit_stays BEFORE UPDATE ON auth_audit BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
