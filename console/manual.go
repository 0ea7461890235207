package console

import (
	"encoding/json"
	"io/fs"
	"strings"

	"edict/docs"
	"edict/platform/web"
)

// manualName is the asset that has all pages of the documentation by their paths without the ending: "guides/install".
const manualName = "docs.json"

// newManual makes one document of all pages: it is searched as a whole.
func newManual() (*web.Asset, error) {
	pages := map[string]string{}
	err := fs.WalkDir(docs.Pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := docs.Pages.ReadFile(name)
		pages[strings.TrimSuffix(name, ".md")] = string(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(pages)
	if err != nil {
		return nil, err
	}
	return web.NewAsset("application/json", body), nil
}
