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
	Sender     string  `json:"sender" doc:"\"deleted\" once the account is gone"`
	Recipient  string  `json:"recipient"`
	DeviceID   *string `json:"deviceId" doc:"null for a user without devices"`
	State      string  `json:"state"`
	QueuedAt   string  `json:"queuedAt"`
	WokenAt    *string `json:"wokenAt" doc:"when the device was last sent a wake-up for it"`
	ReceivedAt *string `json:"receivedAt"`
	ExpiresAt  string  `json:"expiresAt"`
}

// wakeupRecord is the place of a device in the queue of wake-ups.
type wakeupRecord struct {
	UserID   string `json:"userId"`
	DeviceID string `json:"deviceId"`
	Service  string `json:"service"`
	DueAt    string `json:"dueAt" doc:"when it is to be woken next; of one that is being woken, when another may try"`
	Sending  bool   `json:"sending" doc:"it is being woken now"`
	Attempts int    `json:"attempts" doc:"failures since the last success"`
}

// deliveryList is the answer of "deliveries".
type deliveryList struct {
	Deliveries []copyRecord   `json:"deliveries" doc:"those of the newest messages first"`
	Wakeups    []wakeupRecord `json:"wakeups" doc:"the devices of these copies that are in the queue of wake-ups"`
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
			ID: "listDeliveries", Summary: "See where copies and wake-ups are",
			Description: "For operators: the states of the copies of direct messages, those of the newest messages first, and the places of their devices in the queue of wake-ups; never contents. It is in the audit trail, once in ten minutes for each user looked at.",
			Params: []web.Param{
				{Name: "user", Example: exampleUser, Description: "The id of a recipient; everybody when absent."},
				{Name: "since", Type: web.ADate(), Description: "ISO 8601 date or date-time, UTC without an offset; messages queued from then on."},
				{Name: "cursor", Description: "nextCursor of the page before, with the same user and since."},
				sizeParam,
			},
			Answers: answers(http.StatusOK, deliveryList{Deliveries: []copyRecord{copied}, Wakeups: []wakeupRecord{waiting}}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
		},
	}}
}
