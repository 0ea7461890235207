package cli

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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

// askPip asks the machine's pip for its index: the configured one, else the built-in one. It returns "" if there is no pip or it does not
// answer. Python imports modules from the working directory, where a pip.py may be somebody else's, so pip runs in an empty one.
func askPip(ctx context.Context) string {
	empty, err := os.MkdirTemp("", "edict-pip-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(empty)
	for _, command := range pipCommands {
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		for _, key := range []string{"install.index-url", "global.index-url"} {
			if index := indexAddress(runPip(ctx, empty, command, "config", "get", key)); index != "" {
				return index
			}
		}
		help := strings.Join(strings.Fields(runPip(ctx, empty, command, "install", "--help")), " ")
		if m := pipDefault.FindStringSubmatch(help); m != nil && indexAddress(m[1]) != "" {
			return indexAddress(m[1])
		}
	}
	return ""
}

func runPip(ctx context.Context, dir string, command []string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, pipTime)
	defer cancel()
	words := append(append([]string{}, command...), args...)
	pip := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // the words are ours
	pip.Dir, pip.Env = dir, pipEnvironment()
	out, err := pip.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// pipEnvironment returns the environment with what pip needs in another directory: its configuration file by its absolute path. Python
// 3.11 and later then import nothing from the working directory either (the same as its flag -P, which older ones reject).
func pipEnvironment() []string {
	env := append(os.Environ(), "PYTHONSAFEPATH=1")
	if file := os.Getenv("PIP_CONFIG_FILE"); file != "" {
		if absolute, err := filepath.Abs(file); err == nil {
			env = append(env, "PIP_CONFIG_FILE="+absolute)
		}
	}
	return env
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
