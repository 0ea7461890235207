package cli

import (
	"context"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// pipCommands are the ways to the pip of the machine.
var pipCommands = [][]string{{"pip3"}, {"pip"}, {"python3", "-m", "pip"}, {"python", "-m", "pip"}}

// pipTime bounds one question to pip.
const pipTime = 20 * time.Second

// pipDefault finds the index that pip uses when it is told of none, in the help of its command install.
var pipDefault = regexp.MustCompile(`--index-url <url>[^()]*\(default (\S+?)\)`)

// askPip asks the pip of the machine for its index: the configured one, else the one that is built in; "" if there
// is no pip or it does not say.
func askPip(ctx context.Context) string {
	for _, command := range pipCommands {
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		for _, key := range []string{"install.index-url", "global.index-url"} {
			if index := indexAddress(runPip(ctx, command, "config", "get", key)); index != "" {
				return index
			}
		}
		help := strings.Join(strings.Fields(runPip(ctx, command, "install", "--help")), " ")
		if m := pipDefault.FindStringSubmatch(help); m != nil && indexAddress(m[1]) != "" {
			return indexAddress(m[1])
		}
	}
	return ""
}

func runPip(ctx context.Context, command []string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, pipTime)
	defer cancel()
	words := append(append([]string{}, command...), args...)
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output() //nolint:gosec // the words are ours
	if err != nil {
		return ""
	}
	return string(out)
}

// indexAddress is the first address of a text, "" if it is none.
func indexAddress(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	u, err := url.Parse(first)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return first
}
