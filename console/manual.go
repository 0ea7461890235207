package console

import (
	"encoding/json"
	"io/fs"
	"strings"

	"edict/docs"
	"edict/platform/web"
)

// manualName is the asset that has all pages of the documentation, by their names without the ending.
const manualName = "docs.json"

// newManual makes one document of all pages: it is searched as a whole.
func newManual() (*web.Asset, error) {
	names, err := fs.Glob(docs.Pages, "*.md")
	if err != nil {
		return nil, err
	}
	pages := make(map[string]string, len(names))
	for _, name := range names {
		text, err := docs.Pages.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pages[strings.TrimSuffix(name, ".md")] = string(text)
	}
	body, err := json.Marshal(pages)
	if err != nil {
		return nil, err
	}
	return web.NewAsset("application/json", body), nil
}
