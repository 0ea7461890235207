package db

import (
	"context"
	"database/sql/driver"
	"errors"
)

// Question is a query, and what is done with each row of its answer.
type Question struct {
	Query string
	Args  []any
	Each  func(Row) error
}

// Ask runs queries that see all that was written before in the group, and hands over their rows in the order of the questions. On PostgreSQL that is one round
// trip.
func (tx *Tx) Ask(all ...Question) error {
	if tx.pg != nil {
		answers, err := tx.pg.ask(context.Background(), all)
		tx.note(err)
		if err != nil {
			return err
		}
		return tell(all, answers)
	}
	for _, q := range all {
		rows, err := tx.Query(q.Query, q.Args...)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := q.Each(rows); err != nil {
				return errors.Join(err, rows.Close())
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// tell hands over the rows of answers.
func tell(all []Question, answers [][][]driver.Value) error {
	for i, q := range all {
		for _, values := range answers[i] {
			if err := q.Each(row{values: values}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask runs queries after all that was put off, and returns the rows of each.
func (s *pgSession) ask(ctx context.Context, all []Question) (answers [][][]driver.Value, err error) {
	if s.conn == nil {
		return nil, &lostError{errors.New("the connection to PostgreSQL is gone")}
	}
	asked := make([]pgAsked, len(all))
	for i, q := range all {
		if asked[i].stmt, err = s.prepare(ctx, q.Query); err != nil {
			return nil, err
		}
		asked[i].args = q.Args
	}
	rows, err := s.pipeline(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for i := range all {
		answer, err := rows.answer(i > 0)
		if err != nil {
			_, _ = rows.finish() // err says more
			return nil, err
		}
		answers = append(answers, answer)
	}
	_, err = rows.finish()
	return answers, err
}

// answer receives the rows of a query, of the next one if there was one before.
func (r *pgRows) answer(next bool) (all [][]driver.Value, err error) {
	if next {
		if _, err := r.reader.Close(); err != nil {
			return nil, r.session.failed(err)
		}
		r.types = nil
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	for {
		values, ok, err := r.receive()
		if err != nil || !ok {
			return all, err
		}
		all = append(all, values)
	}
}
