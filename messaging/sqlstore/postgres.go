package sqlstore

// postgres has the statements that PostgreSQL takes in other words only.
var postgres = map[string]string{
	// What is shown of a group has to follow from what it is grouped by.
	selectInbox: `SELECT m.at, COALESCE(p.user_id, ''), m.device, m.receipt, m.expires, m.content, m.metadata
	FROM (SELECT DISTINCT d.message FROM delivery d WHERE d.recipient = (SELECT id FROM person WHERE user_key = $1) AND d.message > $2) d
	JOIN message m ON m.at = d.message LEFT JOIN person p ON p.id = m.sender WHERE m.expires > $3 ORDER BY m.at LIMIT $4`,
	// The length of a text must not be negative.
	forgetOwner: `UPDATE gone SET name = $2 || substr(name, strpos(name, '#'))
	WHERE strpos(name, '#') > 0 AND split_part(name, '#', 1) = (SELECT user_id FROM person WHERE id = $1)`,
	blankNames: `UPDATE gone SET name = substr(name, 1, strpos(name, '#'))
	WHERE strpos(name, '#') > 0 AND split_part(name, '#', 1) = (SELECT user_id FROM person WHERE id = $1)`,
	selectPositions: `SELECT COALESCE(string_agg(g.at::text, ',' ORDER BY g.at), '') FROM (SELECT i.at FROM item i WHERE i.channel = $1
	AND i.at >= greatest($2, (SELECT COALESCE(max(floor), 0) + 1 FROM channel WHERE id = $1)) AND i.at <= $3 ORDER BY i.at LIMIT $4) g`,
}
