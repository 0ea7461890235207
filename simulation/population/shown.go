package population

import "strconv"

// maxShown is how many letters of a name a message shows.
const maxShown = 80

// Shown is a name as messages show it: its beginning, if it is long.
func Shown(name string) string {
	if len(name) <= maxShown {
		return name
	}
	letters := 0
	for at := range name {
		if letters == maxShown {
			return name[:at] + "…"
		}
		letters++
	}
	return name
}

// quoted is a text of a file, such as a cell, as messages show it: in quotes, and its beginning, if it is long.
func quoted[T string | []byte](text T) string { return strconv.Quote(Shown(string(text))) }
