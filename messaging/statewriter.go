package messaging

import (
	"context"
	"time"

	"edict/platform/fault"
)

// stateWriter is a Writer that keeps the state machine: it refuses moves that the table does not have, counts the
// states copies come to and notes the push services whose queues have got something.
type stateWriter struct {
	Writer
	counts StateCounts
	queued []string
}

// record is Update for what changes the states of copies. Once it is committed they are counted, and those who
// send wake-ups are told.
func (s *Service) record(ctx context.Context, fn func(Writer) error) error {
	return s.recordReading(ctx, Needs{}, fn)
}

// recordReading is record with what fn is going to read.
func (s *Service) recordReading(ctx context.Context, needs Needs, fn func(Writer) error) error {
	var l *stateWriter
	err := s.updateReading(ctx, needs, func(w Writer) error {
		l = &stateWriter{Writer: w}
		return fn(l)
	})
	if err != nil {
		return err
	}
	s.count(l.counts)
	if s.waker != nil {
		for _, service := range l.queued {
			s.waker.WakeupQueued(service)
		}
	}
	return nil
}

// updateReading is Update with what it is going to read, for a store that makes use of it.
func (s *Service) updateReading(ctx context.Context, needs Needs, fn func(Writer) error) error {
	if store, ok := s.store.(Foresight); ok {
		return store.UpdateReading(ctx, needs, fn)
	}
	return s.store.Update(ctx, fn)
}

func (s *Service) count(states StateCounts) {
	if s.observe != nil && states != (StateCounts{}) {
		s.observe(states)
	}
}

// InsertMessage implements Writer.
func (l *stateWriter) InsertMessage(m *Message, copies []Delivery) error {
	for _, d := range copies {
		l.counts[d.State]++
	}
	return l.Writer.InsertMessage(m, copies)
}

// SetDelivery implements Writer.
func (l *stateWriter) SetDelivery(d Delivery) error {
	l.counts[d.State]++
	return l.Writer.SetDelivery(d)
}

// MoveDeliveries implements Writer.
func (l *stateWriter) MoveDeliveries(m Move) (int, error) {
	if !m.From.May(m.To) {
		return 0, fault.New(fault.Internal, "no copy goes from %v to %v", m.From, m.To)
	}
	n, err := l.Writer.MoveDeliveries(m)
	l.counts[m.To] += n
	return n, err
}

// QueueForItem implements Writer.
func (l *stateWriter) QueueForItem(sleeper Sleeper, channel ChannelID, item Position, due time.Time) error {
	if n := len(l.queued); n == 0 || l.queued[n-1] != sleeper.Service {
		l.queued = append(l.queued, sleeper.Service)
	}
	return l.Writer.QueueForItem(sleeper, channel, item, due)
}

// PutWakeup implements Writer.
func (l *stateWriter) PutWakeup(q Wakeup) error {
	if q.Lease == 0 {
		l.queued = append(l.queued, q.Service)
	}
	return l.Writer.PutWakeup(q)
}
