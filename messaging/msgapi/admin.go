package msgapi

import (
	"context"
	"net/http"

	"edict/messaging"
	"edict/platform/web"
)

// mayOperate is the policy of what is for operators.
var mayOperate = policy("MayOperate", "Admins.")

// copyRecord is one copy of a message as operators see it: never its content.
type copyRecord struct {
	MessageID  string  `json:"messageId"`
	Sender     string  `json:"sender" doc:"\"deleted\" after the account was deleted"`
	Recipient  string  `json:"recipient"`
	DeviceID   *string `json:"deviceId" doc:"null for a user without devices"`
	State      string  `json:"state"`
	QueuedAt   string  `json:"queuedAt"`
	WokenAt    *string `json:"wokenAt" doc:"time of the last wake-up sent to the device for it"`
	ReceivedAt *string `json:"receivedAt"`
	ExpiresAt  string  `json:"expiresAt"`
}

// wakeupRecord is the place of a device in the queue of wake-ups.
type wakeupRecord struct {
	UserID   string `json:"userId"`
	DeviceID string `json:"deviceId"`
	Service  string `json:"service"`
	DueAt    string `json:"dueAt" doc:"time of the next wake-up; during an attempt, time of the next one"`
	Sending  bool   `json:"sending" doc:"a wake-up is being sent now"`
	Attempts int    `json:"attempts" doc:"failures since the last success"`
}

// deliveryList is the answer of "deliveries".
type deliveryList struct {
	Deliveries []copyRecord   `json:"deliveries" doc:"those of the newest messages first"`
	Wakeups    []wakeupRecord `json:"wakeups" doc:"devices of these copies in the wake-up queue"`
	NextCursor *string        `json:"nextCursor" doc:"null at the end"`
}

func (a *API) deliveries(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	query := messaging.DeliveryQuery{
		User: messaging.UserID(q.text("user")), Since: q.time("since"), Cursor: q.text("cursor"), Size: q.integer("size", messaging.DefaultPage),
	}
	if q.err != nil {
		return q.err
	}
	var page messaging.DeliveryPage
	err := a.pages.run(r.Context(), func(ctx context.Context) (err error) {
		page, err = a.service.Deliveries(ctx, caller, query)
		return err
	})
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, deliveryListOf(&page))
}

func deliveryListOf(page *messaging.DeliveryPage) deliveryList {
	out := deliveryList{Deliveries: make([]copyRecord, len(page.Copies)), Wakeups: make([]wakeupRecord, len(page.Wakeups)), NextCursor: orNull(page.Next)}
	for i := range page.Copies {
		c := &page.Copies[i]
		out.Deliveries[i] = copyRecord{
			MessageID: c.ID, Sender: c.Sender.OrDeleted(), Recipient: string(c.Recipient), DeviceID: orNull(c.Device), State: c.State.String(),
			QueuedAt: formatTime(c.Message.Time()), WokenAt: formatTimeOrNull(c.Woken, offsetTime), ReceivedAt: formatTimeOrNull(c.Received, offsetTime),
			ExpiresAt: formatTime(c.Expires),
		}
	}
	for i, q := range page.Wakeups {
		out.Wakeups[i] = wakeupRecord{
			UserID: string(q.User), DeviceID: q.Device, Service: q.Service, DueAt: formatTime(q.Due), Sending: q.Lease != 0, Attempts: q.Attempts,
		}
	}
	return out
}

func (a *API) adminRoutes() []web.Route {
	copied := copyRecord{
		MessageID: exampleMessage, Sender: exampleUser, Recipient: exampleUser, DeviceID: new("phone"), State: "WAKEUP_SENT",
		QueuedAt: exampleTime, WokenAt: new(exampleTime), ExpiresAt: exampleTime,
	}
	waiting := wakeupRecord{UserID: exampleUser, DeviceID: "phone", Service: "webpush", DueAt: exampleTime}
	return []web.Route{{
		Method: http.MethodGet, Path: Prefix + "/admin/deliveries", Policy: mayOperate, Handle: a.handle(a.deliveries),
		Doc: web.Doc{
			ID: "listDeliveries", Summary: "List deliveries and wake-ups",
			Description: "Returns the delivery states of direct messages, newest first, and the queued wake-ups of their devices. Contents are never returned. The audit trail records the request once per user and ten minutes.",
			Params: []web.Param{
				{Name: "user", Example: exampleUser, Description: "The id of a recipient. Defaults to all recipients."},
				{Name: "since", Type: web.ADate(), Description: "Earliest time of queueing: ISO 8601 date or date-time, UTC without an offset."},
				{Name: "cursor", Description: "nextCursor of the previous page, with the same user and since."},
				sizeParam,
			},
			Answers: answers(http.StatusOK, deliveryList{Deliveries: []copyRecord{copied}, Wakeups: []wakeupRecord{waiting}}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
		},
	}}
}
