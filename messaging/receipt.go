package messaging

// Receipt is an acknowledgement in the log of the message's sender: the copy as it was then.
type Receipt struct {
	At       Position
	Delivery Delivery
}

// ReceiptReader reads receipts.
type ReceiptReader interface {
	// Receipts returns up to limit receipts for a sender, after < position ≤ upto, in the order of the log.
	Receipts(sender UserID, after, upto Position, limit int) ([]Receipt, error)
}

// ReceiptWriter writes receipts.
type ReceiptWriter interface {
	// AppendReceipt stores a receipt for a sender at its position, which Next gave.
	AppendReceipt(sender UserID, r Receipt) error
}

// senderLog is where receipts go: stored at their positions, and told of.
type senderLog interface {
	LogWriter
	ReceiptWriter
	EventWriter
}

// receipt tells the sender of a message that asked for it how far a copy has come.
func receipt(w senderLog, m *Message, d Delivery) error {
	if !m.Receipt || m.Sender == "" {
		return nil
	}
	r := Receipt{At: w.Next(), Delivery: d}
	w.Announce(Event{At: r.At, Receipt: &ReceiptEvent{Sender: m.Sender, ID: m.ID, Delivery: d}})
	return w.AppendReceipt(m.Sender, r)
}
