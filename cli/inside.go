package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// askInside has a server that listens nowhere answer a request with a JSON body. It returns the error of ctx when that ends before there is an answer.
func askInside(ctx context.Context, server http.Handler, path string, body []byte, language string) (answer *reply, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer inside")
	if language != "" {
		r.Header.Set("Accept-Language", language)
	}
	answer = &reply{header: http.Header{}}
	defer func() {
		// So a handler ends a request that nobody waits for any more.
		if p := recover(); p != nil {
			if failed, ok := p.(error); !ok || !errors.Is(failed, http.ErrAbortHandler) || ctx.Err() == nil {
				panic(p)
			}
			answer, err = nil, ctx.Err()
		}
	}()
	server.ServeHTTP(answer, r)
	return answer, nil
}

// reply keeps the answer to a request that did not come over the network.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *reply) Header() http.Header { return r.header }

func (r *reply) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *reply) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// print writes the answer so that people can read it.
func (r *reply) print(w io.Writer) error {
	var out bytes.Buffer
	if err := json.Indent(&out, r.body.Bytes(), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}

// start is how the answer begins, for a log.
func (r *reply) start() string {
	const most = 300
	if text := bytes.TrimSpace(r.body.Bytes()); len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(bytes.TrimSpace(r.body.Bytes()))
}
