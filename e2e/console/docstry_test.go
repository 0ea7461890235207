package console_test

import (
	"fmt"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// try opens the form of a route, fills in fields by their names, sends it and waits for the status of the answer, which it returns with the text.
func (c *consoleTab) try(method, path string, fields map[string]string) (status int, answer string) {
	c.t.Helper()
	here := fmt.Sprintf(`document.querySelector('article[data-method="%s"][data-path="%s"] > details.try:last-child')`, method, path)
	c.Eval(here+`.open = true`, nil)
	c.await(here + `.querySelector("form")`)
	for name, value := range fields {
		c.Eval(fmt.Sprintf(`(() => {
			const label = [...%s.querySelectorAll("label")].find(l => l.textContent.startsWith(%s));
			label.control.value = %s;
		})()`, here, e2e.Quote(name), e2e.Quote(value)), nil)
	}
	c.Eval(here+`.querySelector(".came").replaceChildren()`, nil)
	c.Eval(here+`.querySelector("form").requestSubmit()`, nil)
	c.await(here + `.querySelector(".status")`)
	c.Eval(`Number(`+here+`.querySelector(".status").textContent)`, &status)
	c.Eval(here+`.querySelector(".came pre").textContent`, &answer)
	return status, answer
}

// TestDocsTry: routes are tried from the page of the documentation: those for everybody as they are, others with the token of the console's session; what is
// refused is shown as the server says it.
func TestDocsTry(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Auth.Rate = 1000 }})
	e2e.AwaitReady(t, server.URL)
	addConsoleUser(t, server.Data, "ann")
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	docs := func() {
		t.Helper()
		tab.Call("Page.navigate", map[string]any{"url": "about:blank"})
		tab.Call("Page.navigate", map[string]any{"url": server.URL + "/docs"})
		tab.await(`document.querySelector("#session button")`)
	}
	docs()
	if status, answer := tab.try("POST", "/calculate", nil); status != 200 || !strings.Contains(answer, "{") {
		t.Errorf("calculate: %d %.300s", status, answer)
	}
	if status, answer := tab.try("POST", "/calculate", map[string]string{"Body": `{"individus": {"ada": {"no_such_variable": {"2024": null}}}}`}); status != 404 || !strings.Contains(answer, "no_such_variable") {
		t.Errorf("calculate with a wrong name: %d %.300s", status, answer)
	}
	if status, _ := tab.try("GET", e2e.MessageAPI+"/messages", nil); status != 401 {
		t.Errorf("messages without a token: %d", status)
	}
	tab.click("Use the console's session")
	tab.await(`document.querySelector("#session").textContent.includes("Nobody is signed in")`)
	tab.signIn("ann")
	docs()
	tab.click("Use the console's session")
	tab.await(`document.querySelector("#session").textContent.includes("Requests are sent as ann")`)
	if status, answer := tab.try("GET", e2e.MessageAPI+"/messages", nil); status != 200 || !strings.Contains(answer, `"messages": []`) {
		t.Errorf("messages: %d %.300s", status, answer)
	}
	if status, answer := tab.try("GET", "/variable/{id}", map[string]string{"id": "irpp"}); status != 200 || !strings.Contains(answer, "irpp") {
		t.Errorf("a variable: %d %.300s", status, answer)
	}
	var streams int
	tab.Eval(`document.querySelectorAll("article[data-stream] details.try form, article[data-stream] > details.try:nth-of-type(2)").length`, &streams)
	if streams != 0 {
		t.Errorf("%d streams have a form, and never end", streams)
	}
	tab.axe("docs")
	tab.keep("docs-try")
	tab.refusedOnly("40")
	tab.visit("/") // the console is still signed in
	tab.await(`document.querySelector(".who")?.textContent == "ann"`)
}
