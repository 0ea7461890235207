package sqlstore

import "edict/messaging"

const selectPerson = "SELECT id FROM person WHERE user_key = ?"

// person returns the number of a user, 0 for one that has left no trace yet.
func (r *reader) person(user messaging.UserID) (int64, error) {
	return number(r.q, selectPerson, user.Fold())
}

// ensurePerson returns the number of a user, who gets one if need be; of a user that is gone it is messaging.Gone.
func (w *writer) ensurePerson(user messaging.UserID) (int64, error) {
	id, err := w.knownPerson(user)
	if err != nil || id != 0 {
		return id, err
	}
	if id, err = w.insertPerson(user); err == nil {
		w.store.cache.persons[user] = id
	}
	return id, err
}

// knownPerson returns the number of a user, 0 for one that has left no trace yet.
func (w *writer) knownPerson(user messaging.UserID) (int64, error) {
	if id, ok := w.store.cache.persons[user]; ok {
		return id, nil
	}
	id, err := w.person(user)
	if err == nil && id != 0 {
		w.store.cache.persons[user] = id
	}
	return id, err
}

func (w *writer) insertPerson(user messaging.UserID) (id int64, err error) {
	if w.store.exists != nil {
		ok, err := w.store.exists(w.tx, user)
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, messaging.Gone(user)
		}
	}
	id, _, err = w.insert("INSERT INTO person (user_id, user_key) VALUES (?, ?) RETURNING id", string(user), user.Fold())
	return id, err
}

// forgetOwner takes the owner out of the names of private channels that were deleted, which those who were subscribed may yet hear of.
const forgetOwner = `UPDATE gone SET name = ?2 || substr(name, instr(name, '#'))
	WHERE substr(name, 1, instr(name, '#') - 1) = (SELECT user_id FROM person WHERE id = ?1)`

// ForgetUser implements messaging.Writer.
func (w *writer) ForgetUser(user messaging.UserID) error {
	id, err := w.person(user)
	if err != nil || id == 0 {
		return err
	}
	if err := w.flushAll(); err != nil {
		return err
	}
	if err := w.exec(forgetOwner, id, messaging.DeletedUser); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM subscription WHERE person = ?",
		"DELETE FROM tie WHERE person = ?",
		"UPDATE channel SET owner_device = '' WHERE owner = ? AND creator = 0",
		"DELETE FROM device WHERE person = ?",
		"DELETE FROM removed_device WHERE person = ?",
		"DELETE FROM wakeup WHERE person = ?",
		"DELETE FROM reading WHERE person = ?",
		"UPDATE person SET user_id = NULL, user_key = NULL WHERE id = ?",
		"INSERT INTO purge (channel, person, upto, gone) VALUES (0, ?, 0, 1)",
	} {
		if err := w.exec(statement, id); err != nil {
			return err
		}
	}
	w.note(change{kind: userGone, person: id})
	w.store.cache.clear()
	w.store.cleared = true
	// Channels and relations of the user are all over it.
	return nil
}

func (w *writer) flushAll() error {
	w.touch()
	return w.store.flush(w.tx)
}
