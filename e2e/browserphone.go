package e2e

import (
	"encoding/json"
	"maps"
	"time"
)

// phoneEvents are those events of a page that pushes and notifications need.
type phoneEvents struct {
	workers chan string            // registration of the page's service worker
	shown   chan map[string]string // notifications
}

func newPhoneEvents() *phoneEvents {
	return &phoneEvents{workers: make(chan string, 1), shown: make(chan map[string]string, 16)}
}

// note keeps an event. It never waits: a page that nobody asks about has more of them than there is room for.
func (e *phoneEvents) note(r reply) {
	var p struct {
		Registrations          []struct{ RegistrationID string }
		BackgroundServiceEvent struct {
			EventName     string
			EventMetadata []struct{ Key, Value string }
		}
	}
	_ = json.Unmarshal(r.Params, &p) // events of another form are ignored
	switch {
	case r.Method == "ServiceWorker.workerRegistrationUpdated" && len(p.Registrations) > 0:
		select {
		case e.workers <- p.Registrations[0].RegistrationID:
		default:
		}
	case p.BackgroundServiceEvent.EventName == "Notification displayed":
		n := map[string]string{}
		for _, m := range p.BackgroundServiceEvent.EventMetadata {
			n[m.Key] = m.Value
		}
		select {
		case e.shown <- n:
		default:
		}
	}
}

// Push hands a push to the service worker of the page, as the browser does with one that it has decrypted.
func (tab *Tab) Push(origin, text string) {
	b := tab.Browser
	b.t.Helper()
	b.Must(tab.Session, "BackgroundService.setRecording", map[string]any{"shouldRecord": true, "service": "notifications"}, nil)
	b.Must(tab.Session, "BackgroundService.startObserving", map[string]any{"service": "notifications"}, nil)
	b.Must(tab.Session, "ServiceWorker.enable", nil, nil)
	select {
	case id := <-tab.phone.workers:
		b.Must(tab.Session, "ServiceWorker.deliverPushMessage", map[string]any{"origin": origin, "registrationId": id, "data": text}, nil)
	case <-time.After(patience):
		b.t.Fatal("the page has no service worker")
	}
	b.Must(tab.Session, "ServiceWorker.disable", nil, nil)
}

// AwaitNotification waits until a notification is shown after a push; it must say this.
func (tab *Tab) AwaitNotification(title, body string) {
	tab.Browser.t.Helper()
	want := map[string]string{"Title": title, "Body": body}
	select {
	case shown := <-tab.phone.shown:
		if !maps.Equal(shown, want) {
			tab.Browser.t.Errorf("shown is %v, want %v", shown, want)
		}
	case <-time.After(patience):
		tab.Browser.t.Fatalf("no notification is shown, want %v", want)
	}
}
