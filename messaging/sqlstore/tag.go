package sqlstore

import (
	"edict/messaging"
	"edict/platform/db"
)

func scanText(row db.Rows, s *string) error { return row.Scan(s) }

const selectTags = "SELECT tag FROM tag WHERE channel = ? ORDER BY tag_key"

// Tags implements messaging.Reader.
func (r *reader) Tags(channel messaging.ChannelID) ([]string, error) {
	return list(r.q, scanText, selectTags, int64(channel))
}

// AddTags implements messaging.Writer.
func (w *writer) AddTags(channel messaging.ChannelID, tags []string) error {
	for _, t := range tags {
		err := w.exec("INSERT INTO tag (channel, tag_key, tag) VALUES (?, ?, ?) ON CONFLICT (channel, tag_key) DO NOTHING",
			int64(channel), messaging.FoldText(t), t)
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveTags implements messaging.Writer.
func (w *writer) RemoveTags(channel messaging.ChannelID, tags []string) (int, error) {
	if tags == nil {
		return w.count("DELETE FROM tag WHERE channel = ?", int64(channel))
	}
	removed := 0
	for _, t := range tags {
		n, err := w.count("DELETE FROM tag WHERE channel = ? AND tag_key = ?", int64(channel), messaging.FoldText(t))
		if err != nil {
			return removed, err
		}
		removed += n
	}
	return removed, nil
}
