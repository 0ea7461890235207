package auth

// Every statement of the package. TestQueryPlans reads this file: none may scan a table that grows, and none be planned each
// time it is run, as SQLite does with LIMIT ? (but not with LIMIT +?).

const (
	sqlUserColumns = "id, name, name_key, admin, COALESCE(issuer, ''), COALESCE(subject, ''), created_at, display_name, avatar_url, disabled_at IS NOT NULL, seen_at, generation"

	sqlUserInsert = "INSERT INTO auth_user (key, id, name_key, name, password, admin, issuer, subject, created_at, search) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	// A user being removed keeps id and name until that is done.
	sqlUserTaken    = "SELECT key = ? FROM auth_user WHERE key = ? OR name_key = ? LIMIT 1"
	sqlGoneInsert   = "INSERT INTO auth_gone (key) VALUES (?) ON CONFLICT (key) DO NOTHING"
	sqlGone         = "SELECT EXISTS (SELECT 1 FROM auth_gone WHERE key = ?)"
	sqlUserByKey    = "SELECT " + sqlUserColumns + " FROM auth_user WHERE key = ? AND removed_at IS NULL"
	sqlUserByName   = "SELECT " + sqlUserColumns + " FROM auth_user WHERE name_key = ? AND removed_at IS NULL"
	sqlUserLogin    = "SELECT " + sqlUserColumns + ", password FROM auth_user WHERE name_key = ? AND removed_at IS NULL"
	sqlUserPage     = "SELECT " + sqlUserColumns + " FROM auth_user WHERE name_key > ? AND removed_at IS NULL ORDER BY name_key LIMIT +?"
	sqlUserKeyTaken = "SELECT EXISTS (SELECT 1 FROM auth_user WHERE name_key = ?)"
	sqlUserRekey    = "UPDATE auth_user SET name_key = ? WHERE name_key = ?"
	sqlUserPassword = "UPDATE auth_user SET password = ? WHERE key = ? AND password = ?"
	sqlUserRenew    = "UPDATE auth_user SET password = ?, generation = generation + 1 WHERE key = ? AND generation = ? AND removed_at IS NULL"
	sqlUserSeen     = "UPDATE auth_user SET seen_at = ? WHERE key = ? AND seen_at < ?"
	sqlUserRaise    = "UPDATE auth_user SET generation = generation + 1 WHERE key = ?"
	sqlUserProfile  = "UPDATE auth_user SET display_name = ?, avatar_url = ?, search = ? WHERE key = ?"
	sqlUserDisable  = "UPDATE auth_user SET disabled_at = ?, generation = generation + 1 WHERE key = ?"
	sqlUserErase    = "SELECT erase FROM auth_user WHERE key = ?"
	// A search looks at users step by step, and ends after some.
	sqlUserStep       = "SELECT name_key FROM auth_user WHERE name_key > ? AND removed_at IS NULL ORDER BY name_key LIMIT 1 OFFSET +?"
	sqlUserSearch     = "SELECT " + sqlUserColumns + " FROM auth_user WHERE name_key > ? AND name_key <= ? AND removed_at IS NULL AND instr(search, ?) > 0 ORDER BY name_key LIMIT +?"
	sqlUserMark       = "UPDATE auth_user SET removed_at = ?, erase = ?, password = NULL, generation = generation + 1 WHERE key = ? AND removed_at IS NULL"
	sqlUserMarked     = "SELECT id FROM auth_user WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 10"
	sqlUserDelete     = "DELETE FROM auth_user WHERE key = ? AND removed_at IS NOT NULL"
	sqlUserAny        = "SELECT EXISTS (SELECT 1 FROM auth_user)"
	sqlUserProvenance = "SELECT " + sqlUserColumns + ", removed_at IS NOT NULL FROM auth_user WHERE key = ?"

	sqlKeyInsert = "INSERT INTO auth_key (id, seed, created_at) VALUES (?, ?, ?)"
	// There are as many keys as there were rotations.
	sqlKeyAll = "SELECT id, seed FROM auth_key ORDER BY created_at DESC, id"

	sqlSetting    = "SELECT value FROM auth_setting WHERE key = ?"
	sqlSettingSet = "INSERT INTO auth_setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

	sqlSessionInsert  = "INSERT INTO auth_session (id, user_key, kind, device_id, scope, address, client_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlSessionColumns = "id, user_key, kind, device_id, scope, address, client_id, created_at, seen_at, expires_at"
	sqlSessionRead    = "SELECT " + sqlSessionColumns + " FROM auth_session WHERE id = ?"
	sqlSessionsList   = "SELECT " + sqlSessionColumns + " FROM auth_session WHERE user_key = ? AND expires_at > ? LIMIT 2000"
	sqlSessionExtend  = "UPDATE auth_session SET expires_at = ?, rotated = ?, rotated_at = ?, seen_at = ?, address = ? WHERE id = ?"
	sqlSessionDelete  = "DELETE FROM auth_session WHERE id = ?"
	sqlSessionsOf     = "SELECT id FROM auth_session WHERE user_key = ? AND id <> ?"
	// A user has at most as many of a kind as there may be, and one too many.
	sqlSessionsOld    = "SELECT id, kind, expires_at FROM auth_session WHERE user_key = ? AND kind = ? ORDER BY seen_at DESC LIMIT 100 OFFSET +?"
	sqlSessionFind    = "SELECT id, TRUE, expires_at, user_key, device_id, scope, client_id, created_at, rotated, rotated_at, address FROM auth_session WHERE id = ?"
	sqlSessionExpired = "DELETE FROM auth_session WHERE id IN (SELECT id FROM auth_session WHERE expires_at < ? ORDER BY expires_at LIMIT +?)"

	sqlRefreshInsert  = "INSERT INTO auth_refresh (hash, session_id, expires_at) VALUES (?, ?, ?)"
	sqlRefreshFind    = "SELECT r.session_id, r.used_at IS NOT NULL, r.expires_at, s.user_key, s.device_id, s.scope, s.client_id, s.created_at, s.rotated, s.rotated_at, s.address FROM auth_refresh r JOIN auth_session s ON s.id = r.session_id WHERE r.hash = ?"
	sqlRefreshUse     = "UPDATE auth_refresh SET used_at = ? WHERE hash = ?"
	sqlRefreshForget  = "DELETE FROM auth_refresh WHERE hash = ?"
	sqlRefreshDelete  = "DELETE FROM auth_refresh WHERE session_id = ?"
	sqlRefreshExpired = "DELETE FROM auth_refresh WHERE hash IN (SELECT hash FROM auth_refresh WHERE expires_at < ? ORDER BY expires_at LIMIT +?)"

	sqlKnown     = "SELECT place FROM auth_known WHERE user_key = (SELECT key FROM auth_user WHERE name_key = ? AND removed_at IS NULL) AND place IN (?, ?) ORDER BY place LIMIT 1"
	sqlKnownSeen = "INSERT INTO auth_known (user_key, place, seen_at) VALUES (?, ?, ?) ON CONFLICT (user_key, place) DO UPDATE SET seen_at = excluded.seen_at"
	sqlKnownTrim = "DELETE FROM auth_known WHERE user_key = ? AND place IN (SELECT place FROM auth_known WHERE user_key = ? ORDER BY seen_at DESC LIMIT 100 OFFSET +?)"
	sqlKnownDrop = "DELETE FROM auth_known WHERE user_key = ?"

	sqlRevoke         = "INSERT INTO auth_revocation (user_key, session_id, token_id, spared, until, expires_at) VALUES (?, ?, ?, ?, ?, ?)"
	sqlRevokedSince   = "SELECT seq, user_key, session_id, token_id, spared, until, expires_at FROM auth_revocation WHERE seq > ? ORDER BY seq LIMIT 1000"
	sqlRevokedAll     = "SELECT EXISTS (SELECT 1 FROM auth_revocation WHERE user_key = ? AND session_id = '' AND until >= ?)"
	sqlRevokedOf      = "DELETE FROM auth_revocation WHERE user_key = ? AND session_id <> '' AND session_id <> ? AND until <= ?"
	sqlRevokedExpired = "DELETE FROM auth_revocation WHERE seq IN (SELECT seq FROM auth_revocation WHERE expires_at < ? ORDER BY expires_at LIMIT +?)"

	sqlResetPut     = "INSERT INTO auth_reset (user_key, hash, expires_at) VALUES (?, ?, ?) ON CONFLICT (user_key) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at"
	sqlResetFind    = "SELECT user_key FROM auth_reset WHERE hash = ? AND expires_at > ?"
	sqlResetDrop    = "DELETE FROM auth_reset WHERE user_key = ?"
	sqlResetExpired = "DELETE FROM auth_reset WHERE user_key IN (SELECT user_key FROM auth_reset WHERE expires_at < ? ORDER BY expires_at LIMIT +?)"

	sqlClientColumns = "id, name, secret, scope, redirects, created_at"
	sqlClientInsert  = "INSERT INTO auth_client (id, name_key, name, secret, scope, redirects, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
	sqlClientTaken   = "SELECT EXISTS (SELECT 1 FROM auth_client WHERE id IN (?, ?) OR name_key IN (?, ?))"
	sqlClientRead    = "SELECT " + sqlClientColumns + " FROM auth_client WHERE id = ?"
	sqlClientFind    = "SELECT " + sqlClientColumns + " FROM auth_client WHERE id = ? OR name_key IN (?, ?) LIMIT 1"
	sqlClientDelete  = "DELETE FROM auth_client WHERE id = ?"
	// There are few.
	sqlClientAll   = "SELECT " + sqlClientColumns + " FROM auth_client ORDER BY name_key"
	sqlClientCount = "SELECT count(*) FROM auth_client"
	// What a client that is gone leaves: its sessions, step by step.
	sqlClientSessions = "SELECT id FROM auth_session WHERE client_id = ? AND client_id <> '' LIMIT +?"

	sqlCodeInsert  = "INSERT INTO auth_code (hash, client_id, user_key, generation, redirect, challenge, scope, device_id, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlCodeFind    = "SELECT client_id, user_key, generation, redirect, challenge, scope, device_id, expires_at FROM auth_code WHERE hash = ?"
	sqlCodeSpend   = "DELETE FROM auth_code WHERE hash = ?"
	sqlCodeDrop    = "DELETE FROM auth_code WHERE user_key = ?"
	sqlCodeTrim    = "DELETE FROM auth_code WHERE hash IN (SELECT hash FROM auth_code WHERE user_key = ? ORDER BY expires_at DESC LIMIT 100 OFFSET +?)"
	sqlCodeExpired = "DELETE FROM auth_code WHERE hash IN (SELECT hash FROM auth_code WHERE expires_at < ? ORDER BY expires_at LIMIT +?)"

	sqlAuditColumns = "seq, at, act, actor, via, user_id, address, detail"
	sqlAuditInsert  = "INSERT INTO auth_audit (at, act, actor_key, actor, via, user_key, user_id, address, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlAuditPage    = "SELECT " + sqlAuditColumns + " FROM auth_audit WHERE seq < ? ORDER BY seq DESC LIMIT +?"
	// Those about a user and those of the user's acts on others.
	sqlAuditOf      = "SELECT " + sqlAuditColumns + " FROM auth_audit WHERE user_key = ? AND seq < ? UNION ALL SELECT " + sqlAuditColumns + " FROM auth_audit WHERE actor_key = ? AND user_key <> actor_key AND seq < ? ORDER BY seq DESC LIMIT +?"
	sqlAuditExpired = "DELETE FROM auth_audit WHERE seq IN (SELECT seq FROM auth_audit WHERE at < ? ORDER BY at LIMIT +?)"
)
