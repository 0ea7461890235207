package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"edict/platform/fault"
)

// asset is a document made once and served many times.
type asset struct {
	contentType string
	body        []byte
	etag        string
}

func newAsset(contentType string, body []byte) *asset {
	sum := sha256.Sum256(body)
	return &asset{contentType: contentType, body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// docsPolicy lets the documentation load its own style and script and nothing else from anywhere.
const docsPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (p *asset) serve(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("ETag", p.etag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", docsPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	if strings.Contains(r.Header.Get("If-None-Match"), p.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", p.contentType)
	h.Set("Content-Length", strconv.Itoa(len(p.body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(p.body) // the caller went away; there is nobody to tell
	return nil
}

func (s *Server) serveOpenAPI(w http.ResponseWriter, r *http.Request) error {
	return s.openapi.serve(w, r)
}

func (s *Server) serveDocs(w http.ResponseWriter, r *http.Request) error {
	p, ok := s.docs[r.PathValue("asset")]
	if !ok {
		return fault.New(fault.NotFound, "the documentation has no %q", r.PathValue("asset"))
	}
	return p.serve(w, r)
}
