package population

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
