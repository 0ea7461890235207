-- Ids of users that were removed: none is given again, because the audit trail and messages of before may be found by it.
CREATE TABLE auth_gone (
	key text COLLATE "C" PRIMARY KEY
);
-- Removals before this was kept, as far as the audit trail goes back, and the acts of users who are gone.
INSERT INTO auth_gone (key)
	SELECT user_key FROM auth_audit WHERE act = 'user.removed' AND user_key <> ''
	UNION
	SELECT actor_key FROM auth_audit WHERE actor_key <> '' AND actor_key NOT LIKE '@%' AND actor_key NOT IN (SELECT key FROM auth_user);
