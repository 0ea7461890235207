package msgapi

import (
	"net/http"
	"strconv"

	"edict/messaging"
	"edict/platform/jsonio"
	"edict/platform/web"
)

// Pages of items and messages can be large. They are weighed while they are read, twice, for the text that is made of them;
// what they were made of is given back before the text is sent, as slowly as the client reads.

// memoryOf asks for the memory of a page.
func memoryOf(r *http.Request) messaging.Memory {
	return func(bytes int64) error { return web.Hold(r, 2*bytes) }
}

// sendPage answers with a page whose elements have so much content.
func sendPage(w http.ResponseWriter, r *http.Request, page web.JSONAppender, elements, content int) error {
	text := append(page.AppendJSON(make([]byte, 0, 256+elements*elementOverhead+content)), '\n')
	web.Release(r, int64(content))
	return web.WriteRaw(w, http.StatusOK, text)
}

// elementOverhead is about what the text of an item or a message has besides its content.
const elementOverhead = 384

// AppendJSON writes the answer without reflection, which would hold it several times.
func (l itemList) AppendJSON(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"totalCount":`...), l.TotalCount, 10)
	b = append(b, `,"items":[`...)
	for i := range l.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = l.Items[i].appendJSON(b)
	}
	b = append(b, ']')
	if l.NextCursor != nil {
		b = jsonio.AppendString(append(b, `,"nextCursor":`...), *l.NextCursor)
	}
	return append(b, '}')
}

// AppendJSON writes the answer without reflection, which would hold it several times.
func (l subscriptionList) AppendJSON(b []byte) []byte {
	b = append(b, '[')
	for i := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(l[i].appendJSON(b), '}')
	}
	return append(b, ']')
}

// appendJSON leaves the object open.
func (s *subscription) appendJSON(b []byte) []byte {
	b = jsonio.AppendString(append(b, `{"userId":`...), s.UserID)
	b = jsonio.AppendString(append(b, `,"channelName":`...), s.ChannelName)
	b = jsonio.AppendString(append(b, `,"subscriptionId":`...), s.SubscriptionID)
	return appendOrNull(append(b, `,"deviceId":`...), s.DeviceID)
}

// AppendJSON writes the answer without reflection.
func (l mySubscriptionList) AppendJSON(b []byte) []byte {
	b = append(b, '[')
	for i := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = l[i].appendJSON(b)
		b = jsonio.AppendString(append(b, `,"wake":`...), l[i].Wake)
		b = appendOrNull(append(b, `,"readUpTo":`...), l[i].ReadUpTo)
		b = append(strconv.AppendInt(append(b, `,"unread":`...), l[i].Unread, 10), '}')
	}
	return append(b, ']')
}

func (i *item) appendJSON(b []byte) []byte {
	b = jsonio.AppendString(append(b, `{"itemId":`...), i.ItemID)
	b = jsonio.AppendString(append(b, `,"channelName":`...), i.ChannelName)
	b = jsonio.AppendString(append(b, `,"publisher":{"userId":`...), i.Publisher.UserID)
	b = appendOrNull(append(b, `,"deviceId":`...), i.Publisher.DeviceID)
	b = appendContent(append(b, `},"content":`...), i.Content)
	b = jsonio.AppendString(append(b, `,"metaData":{"creationDate":`...), i.MetaData.CreationDate)
	if i.MetaData.EditedDate != nil {
		b = jsonio.AppendString(append(b, `,"editedDate":`...), *i.MetaData.EditedDate)
	}
	b = appendOrNull(append(b, `,"messageType":`...), i.MetaData.MessageType)
	b = appendOrNull(append(b, `,"contentType":`...), i.MetaData.ContentType)
	return append(b, "}}"...)
}

// AppendJSON writes the answer without reflection, which would hold it several times.
func (in inbox) AppendJSON(b []byte) []byte {
	b = append(b, `{"messages":[`...)
	for i := range in.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = in.Messages[i].appendJSON(b)
	}
	b = appendOrNull(append(b, `],"nextCursor":`...), in.NextCursor)
	return append(b, '}')
}

func (m *inboxMessage) appendJSON(b []byte) []byte {
	b = jsonio.AppendString(append(b, `{"messageId":`...), m.MessageID)
	b = jsonio.AppendString(append(b, `,"sender":`...), m.Sender)
	b = appendOrNull(append(b, `,"deviceId":`...), m.DeviceID)
	b = appendContent(append(b, `,"content":`...), m.Content)
	b = appendContent(append(b, `,"metadata":`...), m.Metadata)
	b = strconv.AppendBool(append(b, `,"receipt":`...), m.Receipt)
	b = jsonio.AppendString(append(b, `,"queuedAt":`...), m.QueuedAt)
	b = jsonio.AppendString(append(b, `,"state":`...), m.State)
	b = appendOrNull(append(b, `,"receivedAt":`...), m.ReceivedAt)
	return append(b, '}')
}

func appendOrNull(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return jsonio.AppendString(b, *s)
}

func appendContent(b []byte, c messaging.Content) []byte {
	if len(c) == 0 {
		return append(b, "null"...)
	}
	return append(b, c...)
}
