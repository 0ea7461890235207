package messaging

import "context"

// Store keeps the data of the service. storetest says in tests what the comments say here.
//
// Errors of the store itself (disk full, failed fsync) are faults of kind Unavailable with
// CodeUnavailable; a store that cannot write goes on reading.
type Store interface {
	// Identity returns what the store is known by.
	Identity() Identity

	// View calls fn with a Reader that sees one moment. It never waits for an Update.
	View(ctx context.Context, fn func(Reader) error) error

	// Update calls fn with a Writer and returns nil once everything fn wrote is on disk. Updates are
	// serial; those that wait at the same time share one commit. If fn returns an error, nothing of
	// it remains and Update returns that error. fn runs on the store's goroutine, maybe more than
	// once: it must not block and must leave nothing behind but what it does through the Writer and
	// results it overwrites. If ctx ends first, the update may or may not happen.
	Update(ctx context.Context, fn func(Writer) error) error

	// OnCommit sets the function that is given the events of each commit, by whichever node of the store, in order, one commit
	// at a time, after the commit and, of those that were made here, before its Updates return. It must not block, call the store, or keep
	// the slice. It is set once, before the first Update.
	OnCommit(fn func([]Event))

	// Sweep takes one small step of removing what time or deletion has made useless.
	Sweep(ctx context.Context, r Retention) (Swept, error)
}

// Foresight is a Store that reads for many updates at once what they say beforehand that they will read. An update may read anything else, and gets
// the same answers as without.
type Foresight interface {
	UpdateReading(ctx context.Context, needs Needs, fn func(Writer) error) error
}

// Needs are what an update is going to read.
type Needs struct {
	Devices   []UserID // whose devices
	Message   Position // a message, 0 for none, with its copies for a recipient
	Recipient UserID
}

// Reader reads one moment of the store. Times and positions it is given decide nothing about
// permissions: that is the caller's duty. What is absent is (zero, false, nil). A function that needs a part of it asks for
// the interfaces of its nouns, which are beside their types.
type Reader interface {
	LogReader
	ChannelReader
	TagReader
	SubscriptionReader
	TieReader
	ItemReader
	MessageReader
	DeliveryReader
	ReceiptReader
	DeviceReader
	WakeupReader
	WakingReader
	ReadingReader
	IdempotencyReader
	ArchiveReader
}

// Writer is a Reader that sees its own writes, and writes.
type Writer interface {
	Reader
	LogWriter
	ChannelWriter
	TagWriter
	SubscriptionWriter
	TieWriter
	ItemWriter
	MessageWriter
	DeliveryWriter
	ReceiptWriter
	DeviceWriter
	WakeupWriter
	WakingWriter
	ReadingWriter
	IdempotencyWriter
	UserWriter
	EventWriter
	AuditWriter
}
