package msgapi

import (
	"net/http"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// tagging is the body of "add tags", the one place where personal is a field.
type tagging struct {
	Personal *bool    `json:"personal,omitempty" doc:"true: the caller's private channel of that name"`
	Tags     []string `json:"tags" max:"100" pattern:"^[^\\x00-\\x1f\\x7f]{1,25}$" doc:"1–25 characters each"`
}

func (a *API) addTags(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	var body tagging
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	if body.Tags == nil {
		return illegal("tags is missing: give a list of texts")
	}
	q := queryOf(r)
	personal := q.personal()
	if body.Personal != nil {
		personal = q.agree(personal, *body.Personal)
	}
	if q.err != nil {
		return q.err
	}
	ref, err := publicByDefault(messaging.ParseRef(r.PathValue(channelParam), personal))
	if err != nil {
		return err
	}
	if err := a.service.AddTags(r.Context(), caller, ref, body.Tags); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, success{Message: "Success", Code: http.StatusOK})
}

// agree joins the value of the query with that of the body.
func (q *query) agree(fromQuery messaging.Personal, fromBody bool) messaging.Personal {
	body := messaging.PersonalFalse
	if fromBody {
		body = messaging.PersonalTrue
	}
	if fromQuery != messaging.PersonalAbsent && fromQuery != body {
		q.fail("personal is %t in the body and the opposite in the query: give it once", fromBody)
	}
	return body
}

// tagList is the answer of "list tags".
type tagList struct {
	ChannelName string   `json:"channelName"`
	Tags        []string `json:"tags"`
}

func (a *API) tags(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := channelOf(r)
	if err != nil {
		return err
	}
	channel, tags, err := a.service.Tags(r.Context(), caller, ref)
	if err != nil {
		return err
	}
	if tags == nil {
		tags = []string{}
	}
	return web.WriteJSON(w, http.StatusOK, tagList{ChannelName: channel.FullName(), Tags: tags})
}

func (a *API) removeTag(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := publicByDefault(channelOf(r))
	if err != nil {
		return err
	}
	if err := a.service.RemoveTag(r.Context(), caller, ref, r.PathValue("tag")); err != nil {
		return err
	}
	return done(w)
}

func (a *API) removeAllTags(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error {
	ref, err := publicByDefault(channelOf(r))
	if err != nil {
		return err
	}
	if err := a.service.RemoveAllTags(r.Context(), caller, ref); err != nil {
		return err
	}
	return done(w)
}

// illegal is a value that only the wire can find wrong.
func illegal(format string, args ...any) error { return fault.New(fault.Invalid, format, args...) }
