package console_test

import (
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleRejectsUnprepared: the page of a household shows why a package without a headline variable is not computed, and no figures.
func TestConsoleRejectsUnprepared(t *testing.T) {
	browser := e2e.StartBrowser(t)
	dir := e2e.UnpackPolicy(t, "../../simulation")
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only, c.Simulation.Country = "simulation", dir }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1280)
	tab.await(`document.querySelector("main").innerText.includes("declares no decomposition")`)
	var figures int
	if tab.Eval(`document.querySelectorAll("main table, main svg").length`, &figures); figures > 0 {
		t.Errorf("%d tables and charts are shown", figures)
	}
}
