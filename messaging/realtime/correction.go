package realtime

import "edict/messaging"

// Corrections in a replay. An item that the replay itself sends comes as it is by then, at its own place; so only corrections of items
// up to the place where the replay began are to be sent besides, and an item and its correction come once. Every portion is of a moment
// that has all corrections up to the end of the replay. One that is made while the log is read lies beyond that end and comes afterwards,
// also when a portion has already shown the item with it: a client sees the same content twice, never too old a one.

// edits is what a source of corrections has besides.
type edits struct {
	from  messaging.Position   // the replay sends items after it
	items []messaging.Position // that source.ahead corrects
}

// corrected returns the channels that need a source of corrections.
func (r *replay) corrected(rd messaging.ItemReader) (map[messaging.ChannelID]bool, error) {
	channels, err := rd.Corrected(r.stream.caller.UserID, r.at)
	if err != nil || len(channels) == 0 {
		return nil, err
	}
	is := make(map[messaging.ChannelID]bool, len(channels))
	for _, id := range channels {
		is[id] = true
	}
	return is, nil
}

// upcoming returns the nth event that is known of a source.
func (s *source) upcoming(n int) upcoming {
	if s.edits == nil {
		return upcoming{at: s.ahead[n], source: s}
	}
	return upcoming{at: s.ahead[n], kind: upcomingCorrection, source: s, item: s.edits.items[n]}
}

// taken says that the first n events have left source.ahead.
func (s *source) taken(n int) {
	if s.edits != nil {
		s.edits.items = s.edits.items[n:]
	}
}

// listCorrections finds the next positions of a source of corrections.
func (r *replay) listCorrections(rd messaging.ItemReader, s *source, limit int) error {
	if _, there, err := rd.TrimmedTo(s.id); err != nil || !there {
		s.end = true
		return err
	}
	s.checked = true
	found, err := rd.Corrections(s.id, s.edits.from, s.listed, r.upto, limit+1)
	if err != nil {
		return err
	}
	if s.end = len(found) <= limit; !s.end {
		found = found[:limit]
	}
	s.ahead, s.edits.items = nil, nil
	for _, c := range found {
		s.ahead, s.edits.items = append(s.ahead, c.At), append(s.edits.items, c.Item)
		s.listed = c.At
	}
	return nil
}

// loadCorrection loads a corrected item into its place in the portion.
func (r *replay) loadCorrection(rd messaging.ItemReader, place int, st upcoming, size *int) error {
	err := rd.EachItemAt(st.source.id, []messaging.Position{st.item}, func(i *messaging.Item) bool {
		if r.short = !hold(&r.held, len(i.Content)); r.short {
			return false
		}
		i.ID, i.Channel = r.enc.codec.ItemID(i.At), st.source.name
		r.items[place] = *i
		*size += len(i.Content)
		return true
	})
	if err == nil && !r.short { // one that is gone counts as loaded
		st.source.loaded = st.at
	}
	return err
}
