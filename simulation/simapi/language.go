package simapi

import (
	"net/http"
	"slices"
	"strings"

	"edict/platform/web"
	"edict/simulation/legislation"
)

// language chooses the language of an answer: the one that Accept-Language prefers of those that the law has. "" stands for the law's own
// texts: without the header, with *, and if the law has none of the languages.
func (l *law) language(r *http.Request) string {
	texts := l.system.Translations()
	if texts == nil {
		return ""
	}
	for _, tag := range web.Languages(strings.Join(r.Header.Values("Accept-Language"), ",")) {
		if tag == "*" {
			break
		}
		if language := texts.Match(tag); language != "" {
			return language
		}
	}
	return ""
}

// languageParam is the header of routes whose answers have texts of the law.
var languageParam = web.Param{Name: "Accept-Language", In: "header", Description: "Preferred languages of labels and descriptions, such as en. Default the law's own; Content-Language names the one used."}

// inLanguage documents that the texts of a route's answer come in the language that is accepted.
func inLanguage(r web.Route) web.Route {
	r.Doc.Params = append(slices.Clip(r.Doc.Params), languageParam)
	return r
}

// texts are those of a system in the language of an answer.
func (l *law) texts(r *http.Request, system *legislation.System) legislation.Texts {
	return system.Texts(l.language(r))
}

// speak writes the language of an answer into its headers. Answers of a law without translations do not depend on what is accepted.
func (l *law) speak(h http.Header, language string) {
	if l.system.Translations() == nil {
		return
	}
	h.Add("Vary", "Accept-Language")
	if language = l.system.Texts(language).Language(); language != "" {
		h.Set("Content-Language", language)
	}
}

// writeTexts is writeMetadata for answers with texts of the law.
func (a *API) writeTexts(l *law, w http.ResponseWriter, r *http.Request, v any) error {
	l.speak(w.Header(), l.language(r))
	return a.writeMetadata(w, r, v)
}

// parameterLabel is the label of a parameter by its path, given the one it has if the path leads nowhere.
func parameterLabel(t legislation.Texts, system *legislation.System, path, label string) string {
	if item, ok := system.Parameters().Root.Find(strings.Split(path, ".")...); ok {
		return t.Parameter(path, item)
	}
	return label
}
