package watch

// Every statement of the package.

const (
	sqlKeyCurrent = "SELECT id FROM watch_key WHERE current = 1"
	// Held until the transaction ends, so that no key becomes current before what is sealed with the one before can be seen.
	sqlKeyHeld   = "SELECT id FROM watch_key WHERE current = 1 AND id <> ''"
	sqlKeyRetire = "UPDATE watch_key SET current = 0 WHERE current = 1"
	sqlKeyInsert = "INSERT INTO watch_key (id, current, created_at) VALUES (?, 1, ?) ON CONFLICT (id) DO UPDATE SET current = 1"
	sqlKeyForget = "DELETE FROM watch_key WHERE current <> 1"
	sqlKeyUsed   = "SELECT EXISTS (SELECT 1 FROM watch_watch)"

	// A rotation that is under way has a row of its own, which says when it last went on.
	sqlRotateBegin = "INSERT INTO watch_key (id, current, created_at) VALUES ('rotation', 2, ?) ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at WHERE watch_key.created_at < ?"
	sqlRotateHold  = "UPDATE watch_key SET created_at = ? WHERE id = 'rotation' AND created_at = ?"

	sqlStaleWatches  = "SELECT id, user_key, version, key_id, sealed FROM watch_watch WHERE key_id <> ? LIMIT +?"
	sqlStaleOutcomes = "SELECT run_id, watch_id, user_key, state, key_id, sealed FROM watch_outcome WHERE key_id <> ? LIMIT +?"
	sqlResealWatch   = "UPDATE watch_watch SET key_id = ?, sealed = ? WHERE id = ? AND version = ? AND key_id = ?"
	sqlResealOutcome = "UPDATE watch_outcome SET key_id = ?, sealed = ? WHERE run_id = ? AND watch_id = ? AND state = ? AND key_id = ?"

	sqlWatchColumns = "id, user_key, user_id, version, created_at, updated_at, expires_at, key_id, sealed"

	sqlWatchCount  = "SELECT count(*) FROM watch_watch WHERE user_key = ?"
	sqlWatchInsert = "INSERT INTO watch_watch (id, user_key, user_id, version, created_at, updated_at, expires_at, warned, key_id, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlWatchRead   = "SELECT " + sqlWatchColumns + " FROM watch_watch WHERE id = ? AND user_key = ?"
	sqlWatchByID   = "SELECT " + sqlWatchColumns + " FROM watch_watch WHERE id = ?"
	sqlWatchesOf   = "SELECT " + sqlWatchColumns + " FROM watch_watch WHERE user_key = ? ORDER BY created_at, id LIMIT 100"
	sqlWatchUpdate = "UPDATE watch_watch SET version = version + 1, updated_at = ?, expires_at = ?, warned = ?, key_id = ?, sealed = ? WHERE id = ? AND version = ?"
	sqlWatchDelete = "DELETE FROM watch_watch WHERE id = ? AND user_key = ?"
	// The row is held until the transaction ends, so that nothing is kept of a watch that is deleted meanwhile.
	sqlWatchHeld    = "SELECT version FROM watch_watch WHERE id = ?"
	sqlWatchesAfter = "SELECT " + sqlWatchColumns + " FROM watch_watch WHERE id > ? AND created_at <= ? AND expires_at > ? ORDER BY id LIMIT +?"
	sqlWatchesAll   = "SELECT count(*) FROM watch_watch WHERE created_at <= ? AND expires_at > ?"
	sqlWatchOwners  = "SELECT count(DISTINCT user_key) FROM watch_watch WHERE created_at <= ?"
	sqlWatchWarn    = "SELECT id, user_id, expires_at FROM watch_watch WHERE expires_at > ? AND expires_at < ? AND warned = 0 ORDER BY expires_at LIMIT +?"
	sqlWatchWarned  = "UPDATE watch_watch SET warned = 1 WHERE id = ? AND expires_at = ?"
	sqlWatchExpired = "SELECT id FROM watch_watch WHERE expires_at <= ? ORDER BY expires_at LIMIT +?"
	sqlWatchDrop    = "DELETE FROM watch_watch WHERE id = ?"
	sqlWatchesDrop  = "DELETE FROM watch_watch WHERE user_key = ?"

	sqlOutcomeDrop   = "DELETE FROM watch_outcome WHERE watch_id = ?"
	sqlOutcomesDrop  = "DELETE FROM watch_outcome WHERE user_key = ?"
	sqlOutcomeInsert = "INSERT INTO watch_outcome (run_id, watch_id, user_key, version, state, key_id, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)"
	sqlOutcomeRows   = "SELECT watch_id, user_key, version, key_id, sealed FROM watch_outcome WHERE run_id = ? AND state = ? AND watch_id > ? ORDER BY watch_id LIMIT +?"
	sqlOutcomeWrite  = "UPDATE watch_outcome SET state = 2, key_id = ?, sealed = ? WHERE run_id = ? AND watch_id = ? AND state = 1"
	sqlOutcomeSkip   = "DELETE FROM watch_outcome WHERE run_id = ? AND watch_id = ? AND state = 1"
	sqlOutcomeMark   = "UPDATE watch_outcome SET state = ? WHERE run_id = ? AND watch_id = ? AND state = 2"
	sqlOutcomeEnd    = "DELETE FROM watch_outcome WHERE run_id = ? AND state <> 2"
	sqlOutcomeClear  = "DELETE FROM watch_outcome WHERE run_id = ?"

	sqlRunColumns = "id, created_at, changed_at, created_by, state, send, spec, at, total, computed, told, sent, unsent, report, failure, lease, lease_until"

	// The columns left_* are of earlier versions: outcomes say why a watch was left out.
	sqlRunInsert  = "INSERT INTO watch_run (" + sqlRunColumns + ", left_period, left_figure, left_failed) VALUES (?, ?, ?, ?, 'computing', ?, ?, '', ?, 0, 0, 0, 0, '', '', '', 0, 0, 0, 0)"
	sqlRunRead    = "SELECT " + sqlRunColumns + " FROM watch_run WHERE id = ?"
	sqlRunList    = "SELECT " + sqlRunColumns + " FROM watch_run ORDER BY created_at DESC, id LIMIT 100"
	sqlRunBusy    = "SELECT id FROM watch_run WHERE state IN ('computing', 'sending') ORDER BY created_at LIMIT 1"
	sqlRunFree    = "SELECT id FROM watch_run WHERE state IN ('computing', 'sending') AND lease_until < ? ORDER BY created_at LIMIT 1"
	sqlRunClaim   = "UPDATE watch_run SET lease = ?, lease_until = ? WHERE id = ? AND state IN ('computing', 'sending') AND lease_until < ?"
	sqlRunHold    = "UPDATE watch_run SET lease_until = ? WHERE id = ? AND lease = ? AND state IN ('computing', 'sending')"
	sqlRunRelease = "UPDATE watch_run SET lease = '', lease_until = 0 WHERE id = ? AND lease = ?"
	sqlRunFreeAll = "UPDATE watch_run SET lease = '', lease_until = 0 WHERE lease <> ''"
	sqlRunStep    = "UPDATE watch_run SET changed_at = ?, lease_until = ?, at = ?, computed = computed + ?, told = told + ? WHERE id = ? AND lease = ? AND state = 'computing'"
	sqlRunReport  = "UPDATE watch_run SET changed_at = ?, report = ?, state = CASE WHEN send = 1 THEN 'sending' ELSE 'computed' END WHERE id = ? AND lease = ? AND state = 'computing'"
	sqlRunWritten = "UPDATE watch_run SET changed_at = ?, lease_until = ?, told = told - ? WHERE id = ? AND lease = ? AND state = 'sending'"
	sqlRunCount   = "UPDATE watch_run SET changed_at = ?, sent = sent + ?, unsent = unsent + ? WHERE id = ?"
	sqlRunSent    = "UPDATE watch_run SET changed_at = ?, state = 'sent', told = sent + unsent WHERE id = ? AND lease = ? AND state = 'sending'"
	sqlRunSend    = "UPDATE watch_run SET changed_at = ?, send = 1, state = CASE WHEN state = 'computed' THEN 'sending' ELSE state END WHERE id = ?"
	sqlRunCancel  = "UPDATE watch_run SET changed_at = ?, state = 'cancelled' WHERE id = ? AND state IN ('computing', 'computed', 'sending')"
	sqlRunFail    = "UPDATE watch_run SET changed_at = ?, state = 'failed', failure = ? WHERE id = ? AND lease = ?"
	sqlRunExpire  = "UPDATE watch_run SET state = 'cancelled' WHERE id = ? AND state = 'computed'"
	sqlRunOld     = "SELECT id FROM watch_run WHERE state = 'computed' AND changed_at < ? LIMIT 10"
	sqlRunLeft    = "SELECT id FROM watch_run WHERE state IN ('sent', 'cancelled', 'failed') AND changed_at < ? AND EXISTS (SELECT 1 FROM watch_outcome o WHERE o.run_id = watch_run.id) LIMIT 100"
	sqlRunTooMany = "SELECT id FROM watch_run WHERE state IN ('sent', 'cancelled', 'failed') AND created_at < ? ORDER BY changed_at DESC LIMIT 100 OFFSET 100"
	sqlRunsSince  = "SELECT created_at FROM watch_run WHERE created_at > ? ORDER BY created_at DESC LIMIT 1 OFFSET +?"
	sqlRunUnsent  = "SELECT count(*) FROM watch_run WHERE state = 'computed'"
	sqlRunDelete  = "DELETE FROM watch_run WHERE id = ?"

	sqlLawLast   = "SELECT seq, name, version FROM watch_law ORDER BY seq DESC LIMIT 2"
	sqlLawInsert = "INSERT INTO watch_law (seq, name, version, since) VALUES (?, ?, ?, ?)"
)

// postgres has the statements that PostgreSQL takes in other words only.
var postgres = map[string]string{
	sqlKeyHeld:   "SELECT id FROM watch_key WHERE current = 1 FOR SHARE",
	sqlWatchHeld: "SELECT version FROM watch_watch WHERE id = $1 FOR UPDATE",
}
