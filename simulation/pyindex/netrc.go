package pyindex

import "strings"

// login is a name and a password of a netrc file.
type login struct{ name, password string }

// parseNetrc reads the logins of a netrc file by host; "" is the one for all other hosts. Macros are skipped.
func parseNetrc(text string) map[string]login {
	logins := map[string]login{}
	host, current := "", login{}
	started, macro := false, false
	keep := func() {
		if _, known := logins[host]; started && !known {
			logins[host] = current
		}
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			macro = false // an empty line ends one
		}
		for i := 0; i < len(words) && !macro && !strings.HasPrefix(words[i], "#"); i++ {
			value := ""
			if i+1 < len(words) {
				value = words[i+1]
			}
			switch words[i] {
			case "machine":
				keep()
				host, current, started = value, login{}, true
				i++
			case "default":
				keep()
				host, current, started = "", login{}, true
			case "login":
				current.name = value
				i++
			case "password":
				current.password = value
				i++
			case "account":
				i++
			case "macdef":
				macro = true
			}
		}
	}
	keep()
	return logins
}
