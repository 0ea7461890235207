package messaging

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"edict/platform/names"
)

const maxChannelName = 50

// reservedName cannot name a channel: it is a path of its own beside the channels.
const reservedName = "my_subscriptions"

// ChannelKey is what makes a channel unique: its namespace and its name, both folded. The public
// namespace has no owner. It is a struct so that no owner and name can be confused with another pair.
type ChannelKey struct {
	Owner string // folded id of the owner of a private channel, "" for public
	Name  string // folded name
}

// Personal chooses between the public channel of a bare name and the caller's own private one.
type Personal int8

// The three values of the request field "personal".
const (
	PersonalAbsent Personal = iota
	PersonalTrue
	PersonalFalse
)

// ParsePersonal reads the values of the query parameter "personal".
func ParsePersonal(values []string) (Personal, error) {
	switch {
	case len(values) == 0:
		return PersonalAbsent, nil
	case len(values) > 1:
		return PersonalAbsent, invalid("personal is given %d times: give it once", len(values))
	case values[0] == "true":
		return PersonalTrue, nil
	case values[0] == "false":
		return PersonalFalse, nil
	}
	return PersonalAbsent, invalid("personal: %q is neither true nor false", Clip(values[0]))
}

// Ref is a channel as a caller names it: a bare name with the choice of "personal", or the full name
// <user_id>#<name> of somebody's private channel. Make one with ParseRef.
type Ref struct {
	Owner    UserID // "" for a bare name
	Name     string
	Personal Personal
}

// ParseRef reads the (decoded) path segment of a channel. It is the only place that takes such a name
// apart. A full name together with "personal" is refused: the two would contradict each other.
func ParseRef(segment string, personal Personal) (Ref, error) {
	owner, name, full := strings.Cut(segment, "#")
	if !full {
		return Ref{Name: segment, Personal: personal}, checkChannelName(segment)
	}
	if personal != PersonalAbsent {
		return Ref{}, invalid("%q names its owner already: leave out \"personal\"", Clip(segment))
	}
	if err := CheckUserID(UserID(owner)); err != nil {
		return Ref{}, err
	}
	return Ref{Owner: UserID(owner), Name: name}, checkChannelName(name)
}

// String returns the name as a caller writes it.
func (r Ref) String() string {
	if r.Owner == "" {
		return r.Name
	}
	return string(r.Owner) + "#" + r.Name
}

func publicKey(name string) ChannelKey { return ChannelKey{Name: foldASCII(name)} }

func privateKey(owner UserID, name string) ChannelKey {
	return ChannelKey{Owner: owner.Fold(), Name: foldASCII(name)}
}

func checkChannelName(name string) error {
	switch {
	case name == "":
		return invalid("a channel name is missing: give 1 to %d of letters, digits, '_', '.' and '-'", maxChannelName)
	case strings.EqualFold(name, reservedName):
		return invalid("%q cannot be a channel name, because a path of the API has this name: choose another", name)
	}
	return checkID("a channel name", name, maxChannelName)
}

// checkID is names.Check as an error of this package.
func checkID(kind, s string, most int) error {
	if err := names.Check(kind, s, most); err != nil {
		return invalid("%s", err)
	}
	return nil
}

// CheckUserID reports whether id is well formed; whether the user exists is the directory's matter.
func CheckUserID(id UserID) error { return checkID("a user id", string(id), names.MaxID) }

// foldASCII lowers A-Z; it returns s itself, without allocating, when there is nothing to lower.
func foldASCII(s string) string { return strings.ToLower(s) }

// FoldText returns s as texts (descriptions, tags) are compared: every character replaced by the
// smallest one that differs from it in case only. It keeps the number of characters.
func FoldText(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// Clip shortens what a caller sent for use in an error message.
func Clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
