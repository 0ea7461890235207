package messaging

import (
	"slices"
	"testing"
)

func published(channel ChannelID, at Position) []Event {
	return []Event{{At: at, Item: &ItemEvent{Channel: channel, Item: Item{At: at}}}}
}

// TestStirred: items of a channel whose subscribers do not ask to be woken go unnoticed once somebody has looked, until one asks.
func TestStirred(t *testing.T) {
	s := newStirred()
	stirs := func(want ...ChannelID) {
		t.Helper()
		if got, all := s.take(); all || !slices.Equal(got, want) {
			t.Errorf("stirred: %v (all: %v), want %v", got, all, want)
		}
	}
	s.note(published(7, 1))
	stirs(7)
	s.rest(7, s.askers())
	s.note(published(7, 2))
	stirs()
	s.note(published(8, 3))
	stirs(8)

	looked := s.askers()
	s.ask(7)
	stirs(7) // what came before the call and after the subscription
	s.rest(7, looked)
	s.note(published(7, 4))
	stirs(7)

	s.everything()
	if _, all := s.take(); !all {
		t.Error("everything is not all")
	}
}
