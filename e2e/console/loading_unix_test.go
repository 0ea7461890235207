//go:build unix

package console_test

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleLoading: while the law is being loaded the page says so, and goes on by itself. The law is held up by a file that is a pipe.
func TestConsoleLoading(t *testing.T) {
	browser := e2e.StartBrowser(t)
	law := filepath.Join(e2e.UnpackCountry(t, "../simulation/testdata/derived/package.txtar"), "openfisca_hamlet")
	letIn := holdUp(t, filepath.Join(law, "variables.py"))
	address := freeAddress(t)
	started := make(chan struct{})
	go func() { // a server says that it has started when it has its law; it listens before
		defer close(started)
		e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
			c.Server.Listen, c.Server.Only, c.Simulation.Country = address, "simulation", law
		}})
	}()
	t.Cleanup(func() {
		letIn()
		<-started
	})
	awaitLive(t, "http://"+address)
	tab := openConsole(t, browser, "http://"+address, "/household", "en", "light", 1024)
	tab.awaitText("the law is still loading")
	tab.visit("/law?q=tithe")
	tab.awaitText("the law is still loading")
	tab.axe("a law that is being loaded")
	tab.keep("console-loading")
	letIn()
	tab.await(`document.querySelector(".virtual .row")?.textContent.includes("ithe")`)
	tab.refusedOnly("503")
}

// holdUp puts a pipe in the place of a file: whoever opens it waits until the function that is returned puts the file back.
func holdUp(t *testing.T, file string) (letIn func()) {
	t.Helper()
	real, pipe := file+".real", file+".pipe"
	if err := os.Rename(file, real); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("there are no pipes with names here: %v", err)
	}
	if err := os.Link(pipe, file); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		t.Helper()
		if err := os.Rename(real, file); err != nil {
			t.Fatal(err)
		}
		waiting, err := os.OpenFile(pipe, os.O_RDWR, 0) // whoever waits there goes on
		if err != nil {
			t.Fatal(err)
		}
		if err := waiting.Close(); err != nil {
			t.Error(err)
		}
	})
}

// freeAddress is an address that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// awaitLive waits until a server answers, whether it has its law or not.
func awaitLive(t *testing.T, url string) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		resp, err := http.Get(url + "/healthz")
		if err == nil {
			_ = resp.Body.Close()
			return
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}
