package console_test

import (
	"slices"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleWithoutHeadline: the page of a household shows why a package without a headline variable is not computed, and no figures.
func TestConsoleWithoutHeadline(t *testing.T) {
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

// TestConsoleAges: the page of a household asks for ages where the law has no date of birth, and its children are children.
func TestConsoleAges(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Only, c.Simulation.Country = "simulation", "../../simulation/yamltest/testdata/policyengine/feature_policy"
	}})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1280)
	tab.await(`document.querySelectorAll("main article input").length > 3`)
	var ages []string
	tab.Eval(`[...document.querySelectorAll("main article label")].filter((l) => l.innerText === "a stock by the year").map((l) => document.getElementById(l.htmlFor)?.value ?? l.querySelector("input")?.value ?? "")`, &ages)
	if want := []string{"40", "39", "11", "8"}; !slices.Equal(ages, want) {
		t.Errorf("a family of two adults and two children has the ages %q, want %q", ages, want)
	}
}
