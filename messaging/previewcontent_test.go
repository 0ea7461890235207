package messaging

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPreviewContent(t *testing.T) {
	x := strings.Repeat("x", 300)
	for content, want := range map[string]string{
		`{"a":1.50,"b":"\u00e9\ud83d\ude00","c":[1,{"d":null}],"":true}`:       `{"a":1.50,"b":"\u00e9\ud83d\ude00","c":[1,{"d":null}],"":true}`,
		`{"<a>":"` + x + `","n":1}`:                                            `{"<a>":"` + x[:200] + `…","n":1}`,
		`{"a":"` + strings.Repeat("é", 200) + `"}`:                             `{"a":"` + strings.Repeat("é", 200) + `"}`,
		`{"a":["` + x + x + x + x + `"],"b":"after"}`:                          `{"b":"after"}`,
		`{"` + x + x + x + x + `":1}`:                                          `{}`,
		`{"a":["` + x + x + x + `"],"b":"` + x + `","c":2}`:                    `{"a":["` + x + x + x + `"],"c":2}`,
		`{"a":["` + x + x + x + strings.Repeat("x", 1024-900-11) + `"]}`:       `{"a":["` + x + x + x + strings.Repeat("x", 1024-900-11) + `"]}`,
		`{"a":["` + x + x + x + strings.Repeat("x", 1024-900-10) + `"],"b":1}`: `{"b":1}`,
	} {
		if got := string(previewOf([]byte(content))); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", content, got, want)
		}
	}
}

// FuzzPreviewContent: whatever an item says, its preview is a JSON object that is no larger than it may be.
func FuzzPreviewContent(f *testing.F) {
	for _, seed := range []string{`{"a":"b"}`, `{"a":{"b":[1,2]},"c":null}`, `{"a":"\ud800","a":1e9}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var content map[string]json.RawMessage
		if json.Unmarshal(raw, &content) != nil || content == nil {
			return // it cannot be published
		}
		got := previewOf(raw)
		var part map[string]any
		if err := json.Unmarshal(got, &part); err != nil || len(got) > MaxPreview {
			t.Errorf("%s: %d bytes, %v", got, len(got), err)
		}
	})
}
