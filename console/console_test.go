package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"edict/platform/fault"
)

func readTexts(t *testing.T, language string) map[string]string {
	t.Helper()
	body, err := os.ReadFile("text/" + language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(body, &texts); err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	var lines []string
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, `  "`) {
			lines = append(lines, line)
		}
	}
	if len(lines) != len(texts) {
		t.Errorf("%s.json: %d lines have %d texts: is a key there twice?", language, len(lines), len(texts))
	}
	keys := make([]string, len(lines))
	for i, line := range lines {
		keys[i] = strings.SplitN(line, `"`, 3)[1]
	}
	if !slices.IsSorted(keys) {
		t.Errorf("%s.json: the keys are not sorted", language)
	}
	return texts
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

// TestTexts: both languages have the same keys with the same placeholders, no text is empty, and the sources use every key.
func TestTexts(t *testing.T) {
	en, fr := readTexts(t, "en"), readTexts(t, "fr")
	sources := readSources(t)
	for _, key := range slices.Sorted(maps.Keys(en)) {
		french, ok := fr[key]
		if !ok {
			t.Errorf("fr.json lacks %q", key)
			continue
		}
		if strings.TrimSpace(en[key]) == "" || strings.TrimSpace(french) == "" {
			t.Errorf("%s: the text is empty", key)
		}
		a, b := placeholder.FindAllString(en[key], -1), placeholder.FindAllString(french, -1)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(slices.Compact(a), slices.Compact(b)) {
			t.Errorf("%s: placeholders %v and %v", key, a, b)
		}
		if !strings.Contains(sources, `"`+key+`"`) {
			t.Errorf("nothing shows %q", key)
		}
	}
	for key := range fr {
		if _, ok := en[key]; !ok {
			t.Errorf("en.json lacks %q", key)
		}
	}
}

// TestFrenchTypography: a French text has a no-break space before the marks that want one, and curly apostrophes.
func TestFrenchTypography(t *testing.T) {
	for key, french := range readTexts(t, "fr") {
		if strings.ContainsAny(french, "'\"") {
			t.Errorf("%s: straight quotes: %s", key, french)
		}
		if m := regexp.MustCompile(`[^\x{00a0}\x{202f}\d/][:;?!»]( |$)| [:;?!»]`).FindString(french); m != "" {
			t.Errorf("%s: %q wants a no-break space: %s", key, m, french)
		}
	}
}

func readSources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		all.Write(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestLibraries: the libraries are the files whose hashes are written down, all of them.
func TestLibraries(t *testing.T) {
	sums, err := os.ReadFile("lib/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		body, err := os.ReadFile(filepath.Join("lib", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := sha256.Sum256(body); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not the file that was taken in", name)
		}
		listed[name] = true
	}
	found, err := filepath.Glob("lib/*/*")
	if err != nil || len(found) != len(listed) {
		t.Errorf("%d files, %d hashes (%v)", len(found), len(listed), err)
	}
}

// TestSizes: what a browser loads stays small.
func TestSizes(t *testing.T) {
	for what, limit := range map[string]int{"console.js chunk.js": 60 << 10, "console.js chunk.js more.js": 120 << 10, "console.css": 15 << 10} {
		total := 0
		for name := range strings.FieldsSeq(what) {
			total += compressed(t, name)
		}
		t.Logf("%s: %d bytes compressed", what, total)
		if total > limit {
			t.Errorf("%s have %d bytes compressed, and may have %d", what, total, limit)
		}
	}
}

func compressed(t *testing.T, name string) int {
	t.Helper()
	body, err := files.ReadFile("bundle/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	w, _ := gzip.NewWriterLevel(&small, gzip.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return small.Len()
}

// TestBundle: nothing in the bundle makes scripts of texts or loads from elsewhere.
func TestBundle(t *testing.T) {
	for _, name := range scripts {
		body, err := files.ReadFile("bundle/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"eval(", "new Function", "importScripts", "document.write", "javascript:"} {
			if bytes.Contains(body, []byte(bad)) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

// TestVersions: every file of the program is loaded by the hash of its content, and a part of another version is refused.
func TestVersions(t *testing.T) {
	service, err := Service(Options{})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		for _, route := range service.Routes {
			if route.Path == "/console/assets/{asset}" {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.SetPathValue("asset", strings.TrimPrefix(r.URL.Path, "/console/assets/"))
				if err := route.Handle(w, r); err != nil {
					w.Code = http.StatusInternalServerError
					if fault.KindOf(err) == fault.NotFound {
						w.Code = http.StatusNotFound
					}
				}
			}
		}
		return w
	}
	found := 0
	for _, name := range scripts {
		for _, match := range regexp.MustCompile(`"\./(\w+\.js)([^"]*)"`).FindAllStringSubmatch(get("/console/assets/"+name).Body.String(), -1) {
			found++
			if w := get("/console/assets/" + match[1] + match[2]); match[2] == "" || w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
				t.Errorf("%s loads %s%s: %d %s", name, match[1], match[2], w.Code, w.Header().Get("Cache-Control"))
			}
		}
	}
	if found < 3 {
		t.Errorf("the files load %d others", found)
	}
	if w := get("/console/assets/chunk.js?v=0123456789abcdef01234567"); w.Code != http.StatusNotFound {
		t.Errorf("a part of another version: %d", w.Code)
	}
}
