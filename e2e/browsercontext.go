package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// idleContext is a context that no test uses: no cookie, no storage, and tabs that show nothing.
type idleContext struct {
	id   string
	tabs []string
}

// keptTabs is how many tabs an idle context keeps. Making a context with one tab costs 0.3 s of CPU time, more than most pages.
const keptTabs = 2

// enter gives the test an idle context, or a new one.
func (b *Browser) enter() {
	b.t.Helper()
	b.mu.Lock()
	if n := len(b.idle); n > 0 {
		b.Context, b.blank = b.idle[n-1].id, b.idle[n-1].tabs
		b.idle = b.idle[:n-1]
	}
	b.mu.Unlock()
	if b.Context == "" {
		var made struct{ BrowserContextID string }
		b.Must("", "Target.createBrowserContext", nil, &made)
		b.Context = made.BrowserContextID
	}
}

// takeTab returns the id of a tab that shows nothing.
func (b *Browser) takeTab() string {
	b.t.Helper()
	if n := len(b.blank); n > 0 {
		target := b.blank[n-1]
		b.blank = b.blank[:n-1]
		return target
	}
	var made struct{ TargetID string }
	b.Must("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": b.Context}, &made)
	return made.TargetID
}

// leave ends the test's use of its context. A context that cannot be emptied, or whose test failed, is disposed of.
func (b *Browser) leave() {
	var err error
	if !b.t.Failed() {
		err = b.empty()
	}
	b.mu.Lock()
	maps.DeleteFunc(b.tabs, func(_ string, tab *Tab) bool { return tab.Browser == b })
	if !b.t.Failed() && err == nil {
		b.idle = append(b.idle, idleContext{b.Context, b.blank})
		b.mu.Unlock()
		return
	}
	b.mu.Unlock()
	if err != nil {
		b.t.Logf("the browser's context is not used again: %v", err)
	}
	b.Must("", "Target.disposeBrowserContext", map[string]any{"browserContextId": b.Context}, nil)
}

// empty removes what the test's pages left: documents, storage of every origin, cookies, permissions, tabs that pages opened. Detaching ends emulation
// and scripts of the session.
func (b *Browser) empty() error {
	for _, tab := range b.opened {
		for _, origin := range tab.origins() {
			if _, err := b.call(tab.Session, "Storage.clearDataForOrigin", map[string]any{"origin": origin, "storageTypes": "all"}); err != nil {
				return err
			}
		}
		for _, step := range []struct {
			method string
			params map[string]any
		}{
			{"Network.clearBrowserCache", nil},
			{"Page.navigate", map[string]any{"url": "about:blank"}},
		} {
			if _, err := b.call(tab.Session, step.method, step.params); err != nil {
				return fmt.Errorf("%s: %w", step.method, err)
			}
		}
		if _, err := b.call("", "Target.detachFromTarget", map[string]any{"sessionId": tab.Session}); err != nil {
			return err
		}
		b.blank = append(b.blank, tab.target)
	}
	for _, method := range []string{"Storage.clearCookies", "Browser.resetPermissions"} {
		if _, err := b.call("", method, map[string]any{"browserContextId": b.Context}); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	raw, err := b.call("", "Target.getTargets", nil)
	if err != nil {
		return err
	}
	var all struct {
		TargetInfos []struct{ TargetID, Type, BrowserContextID string }
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	b.blank = b.blank[:min(len(b.blank), keptTabs)]
	for _, target := range all.TargetInfos {
		if target.BrowserContextID != b.Context || target.Type != "page" || slices.Contains(b.blank, target.TargetID) {
			continue
		}
		if _, err := b.call("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}); err != nil {
			return err
		}
	}
	return nil
}

// origins returns the origins that the tab has asked for anything.
func (tab *Tab) origins() []string {
	var origins []string
	for _, request := range tab.Requests() {
		if u, err := url.Parse(request); err == nil && u.Host != "" {
			origins = append(origins, u.Scheme+"://"+u.Host)
		}
	}
	slices.Sort(origins)
	return slices.Compact(origins)
}
