package names

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode"
)

func TestIDs(t *testing.T) {
	for i := range 256 {
		c := string([]byte{byte(i)})
		want := strings.Contains("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", c)
		if got := IsID("a" + c + "a"); got != want {
			t.Errorf("%q in an id: %v", c, got)
		}
		if got := IsID(c); got != (want && c != ".") {
			t.Errorf("%q as an id: %v", c, got)
		}
	}
	for s, want := range map[string]bool{"": false, ".": false, "..": false, "...": true, ".a": true, strings.Repeat("x", MaxID): true, strings.Repeat("x", MaxID+1): false} {
		if IsID(s) != want {
			t.Errorf("%q is an id: %v", s, !want)
		}
	}
}

// TestSegmentsReachTheRouter: names that CheckSegment accepts arrive as they are, sent by a client that escapes and resolves
// paths as browsers do; the others do not.
func TestSegmentsReachTheRouter(t *testing.T) {
	mux := http.NewServeMux()
	got := ""
	mux.HandleFunc("GET /tags/{tag}", func(_ http.ResponseWriter, r *http.Request) { got = r.PathValue("tag") })
	base, _ := url.Parse("http://edict.example/tags/")
	for _, s := range []string{"a", "a/b", "/a", "a/", "//", "...", "%2e", "100%", "a b", "a?b", "#", "日本", ".", "..", "/"} {
		at, err := base.Parse("./" + url.PathEscape(s))
		if err != nil {
			t.Fatal(err)
		}
		got = ""
		mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", at.String(), nil))
		if err := CheckSegment("a tag", s); (err == nil) != (got == s) {
			t.Errorf("%q arrives as %q: %v", s, got, err)
		}
	}
}

func TestLines(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "Net income (€)": "", "שלום": "", "👩‍👧 ❤️": "", "می\u200cخواهم": "",
		"a\x00b": "U+0000 at byte 1", "a\nb": "U+000A", "\u0085": "U+0085", "\u202Egnp.exe": "U+202E at byte 0", "a\u2066": "U+2066", "a\u200F": "U+200F", "\u2028": "U+2028", "a\xff": "not UTF-8",
	} {
		if err := CheckLine(s); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", s, err, want)
		}
	}
}

// TestUserNames: names that people have are accepted; names that look like others are not.
func TestUserNames(t *testing.T) {
	for s, want := range map[string]string{
		"alice": "alice", "Alice Liddell": "Alice Liddell", "0123456789": "0123456789", "ann+news@example.com": "ann+news@example.com", "O'Neill-Müller": "O'Neill-Müller",
		"босс": "босс", "Νίκος": "Νίκος", "山田太郎": "山田太郎", "山田タロウ まさ": "山田タロウ まさ", "Taro山田": "Taro山田", "김철수 Kim": "김철수 Kim", "محمد": "محمد", "आदित्य १": "आदित्य १",
		"иван@example.com": "иван@example.com", "info@пример.example": "info@пример.example", "bob 🙂": "bob 🙂",
		"Zoe\u0308": "Zoë", "ｂｏｓｓ": "boss", "ﬁona": "fiona", "a\u00a0b": "a b",
	} {
		if got, err := User(s); got != want || err != nil {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{
		"bоss": "Cyrillic", "Αlice": "Greek", "а山": "Han", "ア한": "Hangul", "bоss@example.com": "Cyrillic", "bob@exаmple.com": "Cyrillic",
		"bo\u200bss": "U+200B", "bo\u034fss": "U+034F", "boss\u3164": "U+1160", "bo\ufe0fss": "U+FE0F", "\u2800": "U+2800", "a\u00adb": "U+00AD",
		"": "printable", " a": "printable", "a ": "printable", "a  b": "printable", "a\nb": "printable", strings.Repeat("é", MaxUser+1): "printable", strings.Repeat("x", 10000): "printable", "\xff": "UTF-8",
	} {
		if got, err := User(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is accepted as %q, or not for %s: %v", s, got, want, err)
		}
	}
}

func TestUserKeys(t *testing.T) {
	for _, same := range [][]string{{"Alice", "ALICE", "ａｌｉｃｅ"}, {"Zoë", "ZOE\u0308"}, {"ﬁona", "Fiona"}, {"Νίκος", "ΝΊΚΟΣ", "νίκοσ"}, {"Kelvin", "\u212Aelvin"}} {
		for _, s := range same {
			if UserKey(s) != UserKey(same[0]) {
				t.Errorf("%q and %q are different names", s, same[0])
			}
		}
	}
	if UserKey("alice") == UserKey("alicé") || UserKey("ALICE") != "alice" || UserKey("Zoë") != "zoë" {
		t.Error("keys are not as stored before")
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if s := "x" + string(r); unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S) && UserKey(UserKey(s)) != UserKey(s) {
			t.Errorf("%U: %q, again %q", r, UserKey(s), UserKey(UserKey(s)))
		}
	}
}

func FuzzUser(f *testing.F) {
	f.Add("Straße ΑΘΗΝΑ K")
	f.Add("bоss@пример")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := User(s)
		if err != nil {
			return
		}
		if again, err := User(n); err != nil || again != n {
			t.Fatalf("%q is %q, then %q, %v", s, n, again, err)
		}
		if key := UserKey(s); key != UserKey(n) || key != UserKey(key) {
			t.Fatalf("%q has the key %q, %q has %q, which has %q", s, key, n, UserKey(n), UserKey(key))
		}
	})
}
