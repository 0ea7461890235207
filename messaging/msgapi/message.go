package msgapi

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"time"

	"edict/messaging"
	"edict/platform/web"
)

// outgoing is the body of "send to user ids".
type outgoing struct {
	Receipt          bool               `json:"receipt,omitempty" doc:"send the sender a receipt event when the message is received"`
	RecipientUserIDs []messaging.UserID `json:"recipientUserIds" min:"1" max:"1000" doc:"1 to 1000 user ids"`
	Content          json.RawMessage    `json:"content" schema:"object" min:"1" doc:"key/value pairs; numbers are kept as written"`
	Metadata         json.RawMessage    `json:"metadata,omitempty" schema:"object" doc:"key/value pairs of additional information"`
	TTL              *int64             `json:"ttl,omitempty" min:"1" doc:"seconds until the message expires; 30 days when absent"`
}

func (o *outgoing) ttl() (time.Duration, error) {
	switch {
	case o.TTL == nil:
		return 0, nil
	case *o.TTL < 1:
		return 0, illegal("ttl: %d is not a positive number of seconds", *o.TTL)
	case *o.TTL > math.MaxInt64/int64(time.Second):
		return math.MaxInt64, nil // the domain has a smaller limit, and the message for it
	}
	return time.Duration(*o.TTL) * time.Second, nil
}

// sendResult is the answer of "send to user ids".
type sendResult struct {
	Count      sendCount `json:"count"`
	SentList   []sent    `json:"sentList"`
	UnsentList []unsent  `json:"unsentList"`
}

type sendCount struct {
	Requested int `json:"requested" doc:"number of distinct recipients"`
	Sent      int `json:"sent" doc:"recipients with a stored message"`
	Unsent    int `json:"unsent" doc:"recipients without one"`
}

type sent struct {
	MessageID         string  `json:"messageId"`
	DeviceID          *string `json:"deviceId" doc:"null for a user without devices"`
	RecipientUsername string  `json:"recipientUsername"`
	RecipientUserID   string  `json:"recipientUserId"`
}

type unsent struct {
	RecipientUserID string         `json:"recipientUserId"`
	Code            messaging.Code `json:"code"`
	Message         string         `json:"message"`
}

func (a *API) send(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	var body outgoing
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	ttl, err := body.ttl()
	if err != nil {
		return err
	}
	result, err := a.service.Send(r.Context(), caller, messaging.NewMessage{
		Recipients: body.RecipientUserIDs, Content: body.Content, Metadata: body.Metadata, Receipt: body.Receipt,
		TTL: ttl, IdempotencyKey: r.Header.Get(idempotencyKey),
	})
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, sendResultOf(&result))
}

func sendResultOf(res *messaging.SendResult) sendResult {
	out := sendResult{
		Count:    sendCount{Requested: res.Requested, Sent: res.Requested - len(res.Unsent), Unsent: len(res.Unsent)},
		SentList: make([]sent, len(res.Sent)), UnsentList: make([]unsent, len(res.Unsent)),
	}
	for i, s := range res.Sent {
		out.SentList[i] = sent{MessageID: res.MessageID, DeviceID: orNull(s.Device), RecipientUsername: s.Name, RecipientUserID: string(s.Recipient)}
	}
	for i, id := range res.Unsent {
		out.UnsentList[i] = unsent{
			RecipientUserID: string(id), Code: messaging.CodeUnknownUser,
			Message: messaging.UnknownUser(id),
		}
	}
	return out
}

// deliveryStatus is where one copy of a message is.
type deliveryStatus struct {
	State      string  `json:"state"`
	Recipient  string  `json:"recipient" doc:"user id"`
	Sender     string  `json:"sender" doc:"user id"`
	AppID      string  `json:"appId"`
	DeviceID   string  `json:"deviceId" doc:"empty for a user without devices"`
	MessageID  string  `json:"messageId"`
	QueuedAt   string  `json:"queuedAt"`
	ReceivedAt *string `json:"receivedAt" doc:"null until the state is RECEIVED"`
}

func (a *API) messageStatus(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	status, err := a.service.MessageStatus(r.Context(), caller, r.PathValue("message_id"))
	if err != nil {
		return err
	}
	m := &status.Message
	out := make([]deliveryStatus, len(status.Copies))
	for i, c := range status.Copies {
		out[i] = deliveryStatus{
			State: c.State.String(), Recipient: string(c.Recipient), Sender: m.Sender.OrDeleted(), AppID: a.appID,
			DeviceID: c.Device, MessageID: m.ID, QueuedAt: formatTime(m.Queued()), ReceivedAt: formatTimeOrNull(c.Received, offsetTime),
		}
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

// acknowledgement is the body of "ack".
type acknowledgement struct {
	State string `json:"state" enum:"DELIVERED,RECEIVED" doc:"DELIVERED or RECEIVED"`
}

func (a *API) acknowledge(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	var body acknowledgement
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	state, err := messaging.ParseAck(body.State)
	if err != nil {
		return err
	}
	if err := a.service.Acknowledge(r.Context(), caller, r.PathValue("message_id"), state); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, success{Message: "Success", Code: http.StatusOK})
}

// inbox is the answer of "messages".
type inbox struct {
	Messages   []inboxMessage `json:"messages"`
	NextCursor *string        `json:"nextCursor" doc:"cursor of the next page; null on an empty page"`
}

type inboxMessage struct {
	MessageID  string            `json:"messageId"`
	Sender     string            `json:"sender"`
	DeviceID   *string           `json:"deviceId" doc:"the sending device"`
	Content    messaging.Content `json:"content" schema:"object"`
	Metadata   messaging.Content `json:"metadata" schema:"object or null" doc:"null when there is none"`
	Receipt    bool              `json:"receipt"`
	QueuedAt   string            `json:"queuedAt"`
	State      string            `json:"state"`
	ReceivedAt *string           `json:"receivedAt"`
}

func (a *API) inbox(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	cursor, size := q.text("cursor"), q.integer("size", messaging.DefaultPage)
	if q.err != nil {
		return q.err
	}
	var page messaging.InboxPage
	err := a.pages.run(r.Context(), func(ctx context.Context) (err error) {
		page, err = a.service.Inbox(ctx, caller, cursor, size, memoryOf(r))
		return err
	})
	if err != nil {
		return err
	}
	content := 0
	out := inbox{Messages: make([]inboxMessage, len(page.Messages)), NextCursor: orNull(page.Next)}
	for i := range page.Messages {
		m := &page.Messages[i]
		content += len(m.Content) + len(m.Metadata)
		from := publisherOf(m.Sender, m.Device)
		out.Messages[i] = inboxMessage{
			MessageID: m.ID, Sender: from.UserID, DeviceID: from.DeviceID, Content: m.Content, Metadata: m.Metadata,
			Receipt: m.Receipt, QueuedAt: formatTime(m.Queued()), State: m.State.String(), ReceivedAt: formatTimeOrNull(m.Received, offsetTime),
		}
	}
	return sendPage(w, r, out, len(out.Messages), content)
}
