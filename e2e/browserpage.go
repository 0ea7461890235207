package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// AwaitLines waits until a page of the chat shows these lines.
func AwaitLines(tab *Tab, lines ...string) {
	tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const want = %s, items = document.getElementById("items");
		const shown = () => [...items.children].map((l) => l.innerText.replace(/\s+/g, " ") + (l.classList.contains("edited") ? "*" : "")).join("|");
		const look = () => { if (shown() == want) { watch.disconnect(); done(); } };
		const watch = new MutationObserver(look);
		watch.observe(items, {subtree: true, childList: true, attributes: true, characterData: true});
		look();
	})`, Quote(strings.Join(lines, "|"))), nil)
}

// AwaitShown waits until an element has a text.
func AwaitShown(tab *Tab, id, text string) {
	tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const e = document.getElementById(%s);
		const look = () => { if ((e.hidden ? "" : e.textContent) == %s) { watch.disconnect(); done(); } };
		const watch = new MutationObserver(look);
		watch.observe(e, {childList: true, attributes: true, characterData: true, subtree: true});
		look();
	})`, Quote(id), Quote(text)), nil)
}

// Navigate opens another page in the tab.
func (tab *Tab) Navigate(address string) {
	tab.Browser.t.Helper()
	tab.Browser.Must(tab.Session, "Page.navigate", map[string]any{"url": address}, nil)
}

// AwaitTrue waits until an expression is true in whatever page the tab shows by then: between two pages there is none to ask.
func (tab *Tab) AwaitTrue(expression string) {
	tab.Browser.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		var answer struct{ Result struct{ Value bool } }
		raw, err := tab.Browser.call(tab.Session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
		if err == nil && json.Unmarshal(raw, &answer) == nil && answer.Result.Value {
			return
		}
		if time.Now().After(deadline) {
			var page string
			tab.Eval(`location.href + "\n" + document.body.innerText`, &page)
			tab.Browser.t.Fatalf("it did not come to %s: %v\n%s", expression, err, page)
		}
	}
}

// SignIn signs a user in at the login page at an address.
func (tab *Tab) SignIn(address, name, password string) {
	tab.Browser.t.Helper()
	tab.Navigate(address)
	tab.AwaitTrue(`location.pathname == "/auth/authorize" && document.forms.length == 1` + PageLoaded)
	tab.Eval(fmt.Sprintf(`username.value = %s; password.value = %s; document.querySelector("button").click(); null`, Quote(name), Quote(password)), nil)
}

// CheckWidths keeps how the page looks on a phone and on a large screen, by day and by night.
func (tab *Tab) CheckWidths(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("EDICT_SCREENSHOTS")
	for _, width := range []int{320, 1440} {
		tab.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 720, "deviceScaleFactor": 1, "mobile": width < 500})
		var wider bool
		if tab.Eval(`document.documentElement.scrollWidth > innerWidth`, &wider); wider {
			t.Errorf("%s is wider than a screen of %d", name, width)
		}
		for _, scheme := range []string{"light", "dark"} {
			tab.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
			if dir == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), tab.Screenshot(), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}
