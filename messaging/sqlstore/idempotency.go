package sqlstore

import "edict/messaging"

const selectRemembered = `SELECT at, body, answer FROM remembered
	WHERE person = (SELECT id FROM person WHERE user_key = ?) AND channel = ? AND key = ? AND at >= ?`

// Remembered implements messaging.Reader.
func (r *reader) Remembered(k messaging.IdempotencyKey, since messaging.Position) (m messaging.Remembered, ok bool, err error) {
	var body []byte
	ok, err = found(r.q.QueryRow(selectRemembered, k.User.Fold(), int64(k.Channel), k.Key, int64(since)).Scan(&m.At, &body, &m.Answer))
	copy(m.Body[:], body)
	return m, ok, err
}

// Remember implements messaging.Writer. An outcome that is there is too old to count.
func (w *writer) Remember(k messaging.IdempotencyKey, m messaging.Remembered) error {
	person, err := w.ensurePerson(k.User)
	if err != nil {
		return err
	}
	return w.exec(`INSERT INTO remembered (at, person, channel, key, body, answer) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (person, channel, key) DO UPDATE SET at = excluded.at, body = excluded.body, answer = excluded.answer`,
		int64(m.At), person, int64(k.Channel), k.Key, m.Body[:], m.Answer)
}
