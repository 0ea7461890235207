package auth

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

// loginWords is what the login page says in one language. %s is the name of something, %d a number.
type loginWords struct {
	Language string

	SignInTo, Username, Password, SignIn, Cancel string
	Return, App                                  string
	Error                                        string // before the title of a page with a problem
	Incomplete, WrongPassword, AccountDisabled   string
	TooMany, Busy, Failed                        string
	Impossible, Mistake, ForDevelopers           string
}

// loginLanguages are the languages of the page; the first is for those who accept none of them.
var loginLanguages = []loginWords{
	{
		Language: "en",
		SignInTo: "Sign in to %s", Username: "User name", Password: "Password", SignIn: "Sign in", Cancel: "Cancel",
		Return: "Then you return to %s.", App: "the application",
		Error:      "Error: ",
		Incomplete: "Enter your user name and your password.", WrongPassword: "The user name or the password is wrong.",
		AccountDisabled: "This account is disabled. Ask an administrator.",
		TooMany:         "Too many attempts. Try again in %d s.", Busy: "Too many users are signing in. Try again in a moment.",
		Failed:     "Sign-in failed. Try again.",
		Impossible: "Sign-in is not possible", Mistake: "The application that sent you here made an error. Go back and try again, or contact its operator.",
		ForDevelopers: "For developers of the application:",
	},
	{
		Language: "fr",
		SignInTo: "Se connecter à %s", Username: "Nom d’utilisateur", Password: "Mot de passe", SignIn: "Se connecter", Cancel: "Annuler",
		Return: "Vous serez ensuite redirigé vers %s.", App: "l’application",
		Error:      "Erreur : ",
		Incomplete: "Saisissez votre nom d’utilisateur et votre mot de passe.", WrongPassword: "Le nom d’utilisateur ou le mot de passe est incorrect.",
		AccountDisabled: "Ce compte est désactivé. Adressez-vous à un administrateur.",
		TooMany:         "Trop de tentatives. Réessayez dans %d s.", Busy: "Trop d’utilisateurs se connectent en ce moment. Réessayez dans un instant.",
		Failed:     "La connexion a échoué. Réessayez.",
		Impossible: "Connexion impossible", Mistake: "L’application qui vous a redirigé ici a transmis une demande erronée. Revenez en arrière et réessayez, ou contactez son exploitant.",
		ForDevelopers: "À l’attention des développeurs de l’application :",
	},
}

// problem says in words of the page why a sign-in failed.
func (w *loginWords) problem(err error) string {
	f := fault.From(err)
	switch {
	case errors.Is(err, errIncomplete):
		return w.Incomplete
	case errors.Is(err, errDisabled):
		return w.AccountDisabled
	case f.Kind == fault.Unauthenticated:
		return w.WrongPassword
	case f.Kind == fault.TooMany:
		return strings.ReplaceAll(w.TooMany, "%d", strconv.Itoa(f.RetryAfter))
	case f.Kind == fault.Unavailable:
		return w.Busy
	}
	return w.Failed
}

// maxLanguages is how many of the tags of ui_locales are read.
const maxLanguages = 32

// wordsFor chooses the language: the first that the client names (ui_locales: tags with spaces between), else the one that the browser
// likes most (Accept-Language, RFC 9110, section 12.5.4).
func wordsFor(locales, accept string) loginWords {
	for i, tag := range strings.Fields(locales) {
		if words, ok := wordsOf(tag); ok && i < maxLanguages {
			return words
		}
	}
	for _, tag := range web.Languages(accept) {
		if words, ok := wordsOf(tag); ok {
			return words
		}
	}
	return loginLanguages[0]
}

// wordsOf returns the words of a language tag: "fr-CA" is French.
func wordsOf(tag string) (loginWords, bool) {
	language, _, _ := strings.Cut(tag, "-")
	i := slices.IndexFunc(loginLanguages, func(w loginWords) bool { return strings.EqualFold(w.Language, language) })
	if i < 0 {
		return loginWords{}, false
	}
	return loginLanguages[i], true
}
