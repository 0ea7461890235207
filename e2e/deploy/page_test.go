package deploy_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// block returns the code block of a page that is in a language and contains a text.
func block(t *testing.T, page, language, containing string) string {
	t.Helper()
	rest := read(t, page)
	for {
		_, after, found := strings.Cut(rest, "\n```"+language+"\n")
		if !found {
			t.Fatalf("%s has no block of %s with %q", page, language, containing)
		}
		text, end, _ := strings.Cut(after, "\n```")
		if strings.Contains(text, containing) {
			return text + "\n"
		}
		rest = end
	}
}

// get returns the status and the body of an answer.
func get(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}
