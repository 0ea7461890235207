package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

const formContentType = "application/x-www-form-urlencoded"

// FormPart is a part of the example of a body of type multipart/form-data, which is a list of them: a value, or a file.
type FormPart struct {
	Name string
	Text string // in the form, or in the file
	File string // its name, "" for a value
}

// bodyExample shows a form as the object that OpenAPI wants; people see it as it is sent.
func bodyExample(contentType string, example any) any {
	form := object{}
	switch example := example.(type) {
	case []FormPart:
		for _, p := range example {
			if form[p.Name] = p.Text; p.File == "" && json.Valid([]byte(p.Text)) {
				form[p.Name] = json.RawMessage(p.Text)
			}
		}
		return form
	case string:
		values, err := url.ParseQuery(example)
		if err != nil || contentType != formContentType {
			return example
		}
		for name := range values {
			form[name] = values.Get(name)
		}
		return form
	}
	return example
}

// curlForm is how curl sends the parts of a form.
func curlForm(parts []FormPart) string {
	var b strings.Builder
	for _, p := range parts {
		text := p.Text
		if p.File != "" {
			text = "@" + p.File
		}
		fmt.Fprintf(&b, "-F '%s=%s' ", p.Name, strings.ReplaceAll(text, "'", `'\''`))
	}
	return b.String()
}

// formText is a form for people.
func formText(parts []FormPart) string {
	lines := make([]string, len(parts))
	for i, p := range parts {
		if lines[i] = p.Name + ": " + p.Text; p.File != "" {
			lines[i] = p.Name + ": " + p.File + "\n\n" + p.Text
		}
	}
	return strings.Join(lines, "\n")
}
