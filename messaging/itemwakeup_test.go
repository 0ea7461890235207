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

// TestStirredIsBounded: of too many channels all are looked at, and of too many that nobody asks for some are looked at once more.
func TestStirredIsBounded(t *testing.T) {
	s := newStirred()
	signalled := func() bool {
		select {
		case <-s.signal:
			return true
		default:
			return false
		}
	}
	s.note([]Event{{At: 2, Item: &ItemEvent{Channel: 1, Item: Item{At: 1}}}, {At: 3}}) // a correction, and no item at all
	if got, all := s.take(); len(got) > 0 || all || signalled() {
		t.Errorf("%v, %v", got, all)
	}
	for i := range ChannelID(maxStirred) {
		s.note(published(i, 1))
	}
	s.note(published(7, 2))
	if got, all := s.take(); len(got) != maxStirred || all || !signalled() || signalled() {
		t.Errorf("%d channels (all: %v), want %d and one signal", len(got), all, maxStirred)
	}
	for i := range ChannelID(maxStirred + 1) {
		s.note(published(i, 1))
	}
	signalled()
	s.note(published(7, 2))
	if !signalled() {
		t.Error("what comes when there were too many is no reason to look")
	}
	if got, all := s.take(); len(got) > 0 || !all {
		t.Errorf("%d channels, all: %v", len(got), all)
	}
	if got, all := s.take(); len(got) > 0 || all {
		t.Errorf("then %d channels, all: %v", len(got), all)
	}
	s.everything()
	if !signalled() {
		t.Error("everything is no reason to look")
	}
	s.take()
	s.ask(7)
	if !signalled() {
		t.Error("somebody who asks is no reason to look")
	}
	s.take()
	for i := range ChannelID(maxNobody) {
		s.rest(i, s.askers())
	}
	s.note(published(7, 3))
	if got, _ := s.take(); len(got) > 0 || signalled() {
		t.Errorf("%v", got)
	}
	s.rest(maxNobody, s.askers())
	s.note(published(7, 4))
	if got, _ := s.take(); len(got) != 1 || len(s.nobody) != 1 {
		t.Errorf("%v, %d at rest", got, len(s.nobody))
	}
}
