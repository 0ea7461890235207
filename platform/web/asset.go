package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"edict/platform/fault"
)

// Asset is a document made once and served many times. It may be served by many goroutines.
type Asset struct {
	contentType string
	body        []byte
	etag        string

	Policy string // its Content-Security-Policy
	Cache  string // its Cache-Control
}

// docsPolicy lets the documentation load its own style and script and nothing else from anywhere.
const docsPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// NewAsset returns a document that is asked for again each time it is shown, and may load its own style and script and nothing else.
func NewAsset(contentType string, body []byte) *Asset {
	sum := sha256.Sum256(body)
	return &Asset{contentType: contentType, body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, Policy: docsPolicy, Cache: "no-cache"}
}

// Hash tells the content of the document from any other.
func (p *Asset) Hash() string { return strings.Trim(p.etag, `"`) }

// Serve is the handler of the document.
func (p *Asset) Serve(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("ETag", p.etag)
	h.Set("Cache-Control", p.Cache)
	h.Set("Content-Security-Policy", p.Policy)
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
	d, err := s.documents()
	if err != nil {
		return err
	}
	return d.openapi.Serve(w, r)
}

func (s *Server) serveDocs(w http.ResponseWriter, r *http.Request) error {
	d, err := s.documents()
	if err != nil {
		return err
	}
	p, ok := d.docs[r.PathValue("asset")]
	if !ok {
		return fault.New(fault.NotFound, "the documentation has no %q", r.PathValue("asset"))
	}
	return p.Serve(w, r)
}
