package messaging

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"
)

// Previews. A push for an item shows a part of it where the channel says so and the push service cannot read it. It is read after the claim,
// as late as can be: it shows what the item says by then, corrections included, and nothing of an item that is deleted or of a channel that
// the user may not read any more.

// Preview is the part of an item that a push may show.
type Preview struct {
	ItemID      string
	Publisher   UserID // "" once the publisher's account is gone
	MessageType string // "" for none
	Content     Content
}

const (
	// MaxPreview bounds the content of a preview, in bytes.
	MaxPreview = 1024

	maxPreviewText = 200 // characters of one text
)

// previewOf returns the part of an item's content that a preview shows: its members in their order, long texts cut short and
// without those that do not fit any more. It may be empty.
func previewOf(content Content) Content {
	d := json.NewDecoder(bytes.NewReader(content))
	_, err := d.Token() // the brace
	part := Content{'{'}
	for err == nil && d.More() && len(part) < MaxPreview-len(`"":0}`) {
		var name, value json.RawMessage
		if name, err = member(d, &value); err != nil {
			break
		}
		value = cutText(value)
		if len(part)+len(name)+len(value)+len(`,:}`) > MaxPreview {
			continue
		}
		if len(part) > 1 {
			part = append(part, ',')
		}
		part = append(append(append(part, name...), ':'), value...)
	}
	return append(part, '}')
}

// member reads the next member of an object and returns its name as JSON.
func member(d *json.Decoder, value *json.RawMessage) (name json.RawMessage, err error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	text, _ := token.(string) // names are nothing else
	return quote(text), d.Decode(value)
}

// cutText returns a value as it is, unless it is a long text: then its beginning and an ellipsis.
func cutText(value json.RawMessage) json.RawMessage {
	if value[0] != '"' || len(value) <= maxPreviewText+len(`""`) {
		return value
	}
	var text string
	if json.Unmarshal(value, &text) != nil || utf8.RuneCountInString(text) <= maxPreviewText {
		return value
	}
	n := 0
	for end := range text {
		if n++; n > maxPreviewText {
			text = text[:end]
			break
		}
	}
	return quote(text + "…")
}

// quote returns a text as JSON that escapes no more than it must.
func quote(text string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string: never fails
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// addPreviews gives the claims that may show one the preview of their item.
func (s *Service) addPreviews(ctx context.Context, claims []Claim) error {
	var ids []UserID
	for i := range claims {
		if claims[i].shows {
			ids = append(ids, claims[i].User)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	users, err := s.users.LookupUsers(ctx, ids)
	if err != nil {
		return err
	}
	return s.store.View(ctx, func(r Reader) error {
		read := map[Position]*Preview{} // a channel's subscribers are mostly woken for the same item
		for i := range claims {
			c := &claims[i]
			if u, known := users[c.User.Fold()]; !c.shows || !known || u.Disabled {
				continue
			}
			if err := s.addPreview(r, c, read); err != nil {
				return err
			}
		}
		return nil
	})
}

// addPreview gives a claim its preview if its user may read the channel, taking it from those that were read if it is there.
func (s *Service) addPreview(r Reader, c *Claim, read map[Position]*Preview) error {
	channel, err := r.ChannelByID(c.Channel)
	if err != nil || channel == nil || !channel.WakePreview {
		return err
	}
	a := Access{Caller: Caller{UserID: c.User}, Channel: channel, As: channel.FullName()}
	if a.Relation, err = r.Relation(c.Channel, c.User); err != nil || MayReadItems(a) != nil {
		return err
	}
	preview, known := read[c.Item]
	if !known {
		if preview, err = s.readPreview(r, c.Channel, c.Item); err != nil {
			return err
		}
		read[c.Item] = preview
	}
	c.Preview = preview
	return nil
}

// readPreview returns the preview of an item, nil when it is not there.
func (s *Service) readPreview(r ItemReader, channel ChannelID, at Position) (p *Preview, err error) {
	err = r.EachItemAt(channel, []Position{at}, func(i *Item) bool {
		p = &Preview{ItemID: s.codec.ItemID(at), Publisher: i.Publisher, MessageType: i.MessageType, Content: previewOf(i.Content)}
		return false
	})
	return p, err
}
