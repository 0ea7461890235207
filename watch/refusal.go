package watch

import (
	"encoding/json"
	"errors"
	"net/http"

	"edict/platform/fault"
	"edict/platform/web"
)

// Refusal says what is wrong with a request, as a tree that mirrors it.
type Refusal struct {
	Status  int
	Message string          // "" for the usual one
	Tree    json.RawMessage // nil for none

	Missing bool // a law has no variable that a figure names
	Period  bool // the household says nothing about the period
}

// Error returns what is wrong.
func (e *Refusal) Error() string {
	if e.Message != "" {
		return e.Message
	}
	return string(e.Tree)
}

// Unwrap returns a fault of the kind that the status stands for.
func (e *Refusal) Unwrap() error {
	kind := fault.Invalid
	if e.Status == http.StatusUnprocessableEntity {
		kind = fault.Unprocessable
	}
	return fault.New(kind, "%s", e.Message)
}

// Below is the refusal with its tree one level down.
func (e *Refusal) Below(key string) *Refusal {
	out := *e
	tree := e.Tree
	if tree == nil {
		tree, _ = json.Marshal(e.Message) // a text
	}
	out.Tree, _ = json.Marshal(map[string]json.RawMessage{key: tree}) // of JSON
	return &out
}

// problems is what is wrong with a request, by place.
type problems map[string]any

func (ps *problems) add(msg string, path ...string) {
	if *ps == nil {
		*ps = problems{}
	}
	at := map[string]any(*ps)
	for _, key := range path[:len(path)-1] {
		next, ok := at[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[key] = next
		}
		at = next
	}
	last := path[len(path)-1]
	if _, taken := at[last]; !taken {
		at[last] = msg
	}
}

// refusal is nil when nothing is wrong.
func (ps problems) refusal() error {
	if len(ps) == 0 {
		return nil
	}
	tree, err := json.Marshal(ps)
	if err != nil {
		return err
	}
	return &Refusal{Status: http.StatusBadRequest, Tree: tree}
}

// errorBody has the shape of the errors of /api/1.
type errorBody struct {
	APIVersion int       `json:"apiVersion"`
	Method     string    `json:"method"`
	Error      errorPart `json:"error"`
}

type errorPart struct {
	Code    int               `json:"code"`
	Errors  []json.RawMessage `json:"errors,omitempty" doc:"errors, as a tree that mirrors the request"`
	Message string            `json:"message"`
}

func shapeError(r *http.Request, err error) (int, any) {
	body := errorBody{APIVersion: 1, Method: r.URL.Path}
	if e, ok := asRefusal(err); ok {
		body.Error = errorPart{Code: e.Status, Message: e.Message}
		if e.Message == "" {
			body.Error.Message = "Bad parameters in request"
		}
		if e.Tree != nil {
			body.Error.Errors = []json.RawMessage{e.Tree}
		}
		return e.Status, body
	}
	f := fault.From(err)
	body.Error = errorPart{Code: web.Status(f.Kind), Message: f.Message}
	return body.Error.Code, body
}

func asRefusal(err error) (*Refusal, bool) { return errors.AsType[*Refusal](err) }
