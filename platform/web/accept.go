package web

import (
	"net/http"
	"strconv"
	"strings"
)

// PrefersHTML reports whether a request comes from a browser, or from a client that wants what a browser gets: it accepts HTML by name, with a
// weight (RFC 9110, 12.4.2) that is not below that of JSON. "*/*" names nothing.
func PrefersHTML(r *http.Request) bool {
	html, named := weightOf(r, "text", "html")
	json, _ := weightOf(r, "application", "json")
	return named && html > 0 && html >= json
}

// weightOf returns the weight that Accept gives to a media type by its most specific range, and whether that range names at least the type before the
// slash. A weight that is malformed counts as 0.
func weightOf(r *http.Request, kind, subtype string) (weight float64, named bool) {
	specific := 0
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			media, parameters, _ := strings.Cut(part, ";")
			rank := 0
			switch strings.ToLower(strings.TrimSpace(media)) {
			case kind + "/" + subtype:
				rank = 3
			case kind + "/*":
				rank = 2
			case "*/*":
				rank = 1
			}
			if rank > specific {
				specific, weight = rank, quality(parameters)
			}
		}
	}
	return weight, specific > 1
}

// quality reads the weight among the parameters of a media range: 1 if there is none.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(value, 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0
			}
			return q
		}
	}
	return 1
}
