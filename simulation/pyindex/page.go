package pyindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The forms in which an index describes a project, the best first.
const (
	simpleJSON = "application/vnd.pypi.simple.v1+json"
	simpleHTML = "application/vnd.pypi.simple.v1+html"
	acceptPage = simpleJSON + ", " + simpleHTML + ";q=0.2, text/html;q=0.01"
)

// parsePage reads the files of a project from a page of an index, in the form that it came in.
func parsePage(body io.Reader, kind, project string, from *url.URL) ([]File, error) {
	switch kind {
	case simpleJSON, "application/json":
		return parseJSON(body, project, from)
	case simpleHTML, "text/html", "application/xhtml+xml":
		return parseHTML(body, project, from)
	}
	return nil, fmt.Errorf("it answers with %q, which is not a page of a package index", kind)
}

// jsonPage is a project as PEP 691 writes it, as far as it matters here.
type jsonPage struct {
	Meta struct {
		Version string `json:"api-version"`
	} `json:"meta"`
	Files []struct {
		Filename string            `json:"filename"`
		URL      string            `json:"url"`
		Hashes   map[string]string `json:"hashes"`
		Yanked   any               `json:"yanked"` // false, true, or why
	} `json:"files"`
}

func parseJSON(body io.Reader, project string, from *url.URL) ([]File, error) {
	var page jsonPage
	if err := json.NewDecoder(body).Decode(&page); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	if v := page.Meta.Version; v != "" && !strings.HasPrefix(v, "1.") {
		return nil, fmt.Errorf("it speaks version %s of the protocol, which is not known here", v)
	}
	var files []File
	for _, entry := range page.Files {
		f, ok := parseFile(entry.Filename, project)
		if !ok {
			continue
		}
		where, err := from.Parse(entry.URL)
		if err != nil {
			continue
		}
		f.URL, f.Hashes = where.String(), entry.Hashes
		switch yanked := entry.Yanked.(type) {
		case bool:
			f.Yanked = yanked
		case string:
			f.Yanked, f.Reason = true, yanked
		}
		files = append(files, f)
	}
	return files, nil
}

// parseHTML reads the links of a page; the hash of a file is behind the # of its link.
func parseHTML(body io.Reader, project string, from *url.URL) ([]File, error) {
	base := from
	var files []File
	for tokens := html.NewTokenizer(body); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return files, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := tokens.Token()
			switch tag.DataAtom {
			case atom.Base:
				if href, ok := attribute(tag, "href"); ok {
					if u, err := from.Parse(href); err == nil {
						base = u
					}
				}
			case atom.A:
				if f, ok := parseLink(tag, project, base); ok {
					files = append(files, f)
				}
			}
		}
	}
}

func attribute(tag html.Token, name string) (string, bool) {
	for _, a := range tag.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val), true
		}
	}
	return "", false
}

func parseLink(tag html.Token, project string, base *url.URL) (File, bool) {
	href, ok := attribute(tag, "href")
	if !ok {
		return File{}, false
	}
	u, err := base.Parse(href)
	if err != nil {
		return File{}, false
	}
	f, ok := parseFile(path.Base(u.Path), project)
	if !ok {
		return File{}, false
	}
	f.Hashes = map[string]string{}
	if algorithm, digest, ok := strings.Cut(u.Fragment, "="); ok {
		f.Hashes[algorithm], _, _ = strings.Cut(digest, "&")
	}
	u.Fragment = ""
	f.URL = u.String()
	f.Reason, f.Yanked = attribute(tag, "data-yanked")
	return f, true
}
