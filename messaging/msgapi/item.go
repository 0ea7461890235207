package msgapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"edict/messaging"
	"edict/platform/web"
)

// draft is the body of "publish".
type draft struct {
	Content     json.RawMessage `json:"content" schema:"object" min:"1" doc:"key/value pairs; numbers are kept as written"`
	MessageType string          `json:"messageType,omitempty" max:"255" pattern:"^[^\\x00-\\x1f\\x7f]*$" doc:"any word that distinguishes kinds of items"`
	ContentType string          `json:"contentType,omitempty" max:"255" pattern:"^([A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[a-z]+=[A-Za-z0-9._-]+)*)?$" doc:"a MIME type"`
}

// published is the answer of "publish".
type published struct {
	Message   string `json:"message"`
	Status    string `json:"status"`
	MessageID string `json:"messageId" doc:"the item's id"`
}

// AppendJSON writes the answer without reflection: ids need no escaping.
func (p published) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"message":"Successfully published message","status":"OK","messageId":"`...)
	dst = append(dst, p.MessageID...)
	return append(dst, `"}`...)
}

func (a *API) publish(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body draft
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	id, err := a.service.Publish(r.Context(), caller, ref, messaging.NewItem{
		Content: body.Content, WellFormed: true, MessageType: body.MessageType, ContentType: body.ContentType, IdempotencyKey: r.Header.Get(idempotencyKey),
	})
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, published{MessageID: id})
}

// redraft is the body of "correct": what is absent stays.
type redraft struct {
	Content     json.RawMessage `json:"content" schema:"object" min:"1" doc:"key/value pairs that replace the old ones"`
	MessageType *string         `json:"messageType,omitempty" max:"255" pattern:"^[^\\x00-\\x1f\\x7f]*$" doc:"absent: stays; empty: none"`
	ContentType *string         `json:"contentType,omitempty" max:"255" pattern:"^([A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[a-z]+=[A-Za-z0-9._-]+)*)?$" doc:"absent: stays; empty: none"`
}

// corrected is the answer of "correct".
type corrected struct {
	Message    string `json:"message"`
	Status     string `json:"status"`
	MessageID  string `json:"messageId" doc:"the item's id, which stays"`
	EditedDate string `json:"editedDate"`
}

// AppendJSON writes the answer without reflection: ids, which are those of an item here, need no escaping.
func (c corrected) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"message":"Successfully corrected message","status":"OK","messageId":"`...)
	dst = append(dst, c.MessageID...)
	dst = append(dst, `","editedDate":"`...)
	dst = append(dst, c.EditedDate...)
	return append(dst, `"}`...)
}

func (a *API) correctItem(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	var body redraft
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	id := r.PathValue(itemParam)
	edited, err := a.service.CorrectItem(r.Context(), caller, ref, id, messaging.NewContent{
		Content: body.Content, WellFormed: true, MessageType: body.MessageType, ContentType: body.ContentType, IdempotencyKey: r.Header.Get(idempotencyKey),
	})
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, corrected{MessageID: id, EditedDate: formatTime(edited)})
}

// item is a published item.
type item struct {
	ItemID      string            `json:"itemId"`
	ChannelName string            `json:"channelName" doc:"<owner>#<name> for a private channel"`
	Publisher   publisher         `json:"publisher"`
	Content     messaging.Content `json:"content" schema:"object"`
	MetaData    metaData          `json:"metaData"`
}

type publisher struct {
	UserID   string  `json:"userId" doc:"\"deleted\" after the account was deleted"`
	DeviceID *string `json:"deviceId"`
}

type metaData struct {
	CreationDate string  `json:"creationDate"`
	EditedDate   *string `json:"editedDate,omitempty" doc:"time of the latest correction; absent without one"`
	MessageType  *string `json:"messageType"`
	ContentType  *string `json:"contentType"`
}

// itemList is the answer of both ways to fetch items.
type itemList struct {
	TotalCount int64   `json:"totalCount" doc:"number of matching items on all pages"`
	Items      []item  `json:"items"`
	NextCursor *string `json:"nextCursor,omitempty" doc:"cursor of the next page; absent on the last one"`
}

func itemsOf(items []messaging.Item) []item {
	out := make([]item, len(items))
	for i := range items {
		it := &items[i]
		out[i] = item{
			ItemID: it.ID, ChannelName: it.Channel, Content: it.Content,
			Publisher: publisherOf(it.Publisher, it.Device),
			MetaData:  metaData{CreationDate: formatTime(it.Created()), EditedDate: editedDate(it), MessageType: orNull(it.MessageType), ContentType: orNull(it.ContentType)},
		}
	}
	return out
}

func editedDate(i *messaging.Item) *string {
	if i.Edited == 0 {
		return nil
	}
	date := formatTime(i.Edited.Time())
	return &date
}

// publisherOf shows neither name nor device of a user who is gone.
func publisherOf(user messaging.UserID, device string) publisher {
	if user == "" {
		return publisher{UserID: messaging.DeletedUser}
	}
	return publisher{UserID: string(user), DeviceID: orNull(device)}
}

func (a *API) itemsByID(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	ref, err := q.channel(r)
	if err != nil {
		return err
	}
	var items []messaging.Item
	err = a.pages.run(r.Context(), func(ctx context.Context) (err error) {
		items, err = a.service.ItemsByID(ctx, caller, ref, q.values["id"], memoryOf(r))
		return err
	})
	if err != nil {
		return err
	}
	return sendItems(w, r, itemList{TotalCount: int64(len(items)), Items: itemsOf(items)})
}

func sendItems(w http.ResponseWriter, r *http.Request, l itemList) error {
	content := 0
	for i := range l.Items {
		content += len(l.Items[i].Content)
	}
	return sendPage(w, r, l, len(l.Items), content)
}

func (a *API) fetchItems(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	fetch := messaging.Fetch{
		Since: q.time("since"), Until: q.time("until"), Descending: q.descending(),
		Offset: q.integer("offset", 0), Size: q.integer("size", messaging.DefaultPage), Cursor: q.text("cursor"), Memory: memoryOf(r),
	}
	ref, err := q.channel(r)
	if err != nil {
		return err
	}
	var page messaging.ItemPage
	err = a.pages.run(r.Context(), func(ctx context.Context) (err error) {
		page, err = a.service.FetchItems(ctx, caller, ref, fetch)
		return err
	})
	if err != nil {
		return err
	}
	return sendItems(w, r, itemList{TotalCount: page.Total, Items: itemsOf(page.Items), NextCursor: orNull(page.Next)})
}

func (q *query) descending() bool {
	s, ok := q.one("sort_order")
	if !ok {
		return false
	}
	switch strings.ToUpper(s) {
	case "ASC":
		return false
	case "DESC":
		return true
	}
	q.fail("sort_order: %q is neither ASC nor DESC", messaging.Clip(s))
	return false
}

func (a *API) deleteItems(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	q := queryOf(r)
	ref, err := q.channel(r)
	if err != nil {
		return err
	}
	ids := q.values["id"]
	deleted, err := a.service.DeleteItems(r.Context(), caller, ref, ids)
	if err != nil {
		return err
	}
	out := make(map[string]int, len(ids))
	for i, id := range ids {
		switch {
		case deleted[i]:
			out[id] = http.StatusOK
		case out[id] == 0: // an id given twice was deleted the first time
			out[id] = http.StatusNotFound
		}
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

func (a *API) deleteAllItems(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := publicByDefault(channelOf(r))
	if err != nil {
		return err
	}
	if err := a.service.DeleteAllItems(r.Context(), caller, ref); err != nil {
		return err
	}
	return done(w)
}
