package console_test

import (
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleDocs: every page of the documentation is shown whole, links between pages lead somewhere, and all of it can be searched.
func TestConsoleDocs(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/docs", "en", "light", 1280)
	tab.await(`document.querySelectorAll("main li a").length > 20`)
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "../../docs/"), ".md")
		tab.click(strings.ReplaceAll(strings.TrimPrefix(strings.SplitN(e2e.ReadFile(t, file), "\n", 2)[0], "# "), "`", ""))
		tab.await(`location.pathname == "/console/docs/` + name + `" && document.querySelector(".prose h1")`)
		var seen struct {
			Headings, Code, Rows int
			Dead                 []string
		}
		tab.Eval(`({
			headings: document.querySelectorAll(".prose h1, .prose h2, .prose h3").length,
			code: document.querySelectorAll(".prose pre").length,
			rows: document.querySelectorAll(".prose tbody tr").length,
			dead: [...document.querySelectorAll(".prose a")].filter(a => a.origin == location.origin && !a.pathname.startsWith("/console/docs")).map(a => a.href),
		})`, &seen)
		want := strings.Count("\n"+outsideCode(e2e.ReadFile(t, file)), "\n#")
		if seen.Headings != want || len(seen.Dead) > 0 {
			t.Errorf("%s: %d headings of %d, links to nowhere %v", name, seen.Headings, want, seen.Dead)
		}
		if strings.Contains(e2e.ReadFile(t, file), "\n|") != (seen.Rows > 0) || strings.Contains(e2e.ReadFile(t, file), "\n```") && seen.Code == 0 {
			t.Errorf("%s: %d rows of tables, %d pieces of code", name, seen.Rows, seen.Code)
		}
		tab.fits("docs " + name)
		tab.click("All pages")
		tab.await(`location.pathname == "/console/docs" && document.querySelectorAll("main li a").length > 20`)
	}
	tab.fill("Search the documentation", "synthetic sample")
	tab.await(`location.search.includes("synthetic") && [...document.querySelectorAll(".found a")].some(a => a.pathname == "/console/docs/guides/population")`)
	tab.fill("Search the documentation", "no such words anywhere")
	tab.await(`document.querySelector(".state")`)
	tab.visit("/docs/nothing")
	tab.await(`document.querySelector("h1").textContent.includes("documentation page does not exist")`)
	tab.visit("/docs/guides/population")
	tab.looks("docs", `document.querySelector(".prose h1")`)
	tab.clean("docs")
}

// outsideCode is a page without its pieces of code.
func outsideCode(page string) string {
	parts := strings.Split("\n"+page, "\n```")
	var text strings.Builder
	for i := 0; i < len(parts); i += 2 {
		text.WriteString("\n" + parts[i])
	}
	return text.String()
}
