package pyindex

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Config says where packages come from and how to get there.
type Config struct {
	Indexes      []string // roots of simple indexes: all are asked
	NoIndex      bool     // no index is to be asked, whoever knows one
	FindLinks    []string // directories of files, or addresses of pages that link to some
	Cert         string   // file with the authorities to trust in place of the system's
	ClientCert   string   // file with a certificate and its key
	TrustedHosts []string // HOST or HOST:PORT that may speak plain HTTP or have any certificate
	Proxy        string   // in place of the one that the environment names
	Timeout      time.Duration
	PreReleases  bool
	Netrc        string // file with names and passwords by host
}

// ErrNoIndex says that nothing tells where packages are.
var ErrNoIndex = errors.New("no package index is configured: set PIP_INDEX_URL to the address of one (it ends in /simple/ as a rule), or index-url in pip.conf, or give --index-url")

// Settings is where the configuration is read from; tests give their own.
type Settings struct {
	Env  func(key string) string
	Read func(file string) ([]byte, error)
	Home string
	GOOS string
}

// System is the settings of this process.
func System() Settings {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then there are no files of the user's
	}
	return Settings{Env: os.Getenv, Read: os.ReadFile, Home: home, GOOS: runtime.GOOS}
}

// FromPip reads what pip would use: its files (the machine's, the user's, the virtual environment's, $PIP_CONFIG_FILE) and
// its PIP_ variables, the later beating the earlier. In a file the section install beats global.
func FromPip(s Settings) (Config, error) {
	found := map[string]string{}
	for _, file := range s.files() {
		text, err := s.Read(file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return Config{}, fmt.Errorf("pip configuration: %w", err)
		}
		sections, err := parseINI(string(text))
		if err != nil {
			return Config{}, fmt.Errorf("pip configuration %s: %w", file, err)
		}
		for _, section := range []string{"global", "install"} {
			maps.Copy(found, sections[section])
		}
	}
	for _, key := range pipKeys {
		if value := s.Env("PIP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))); value != "" {
			found[key] = value
		}
	}
	return s.config(found)
}

// pipKeys are the settings of pip that matter here.
var pipKeys = []string{
	"cert", "client-cert", "default-timeout", "extra-index-url", "find-links", "index-url", "no-index", "pre", "proxy", "timeout", "trusted-host",
}

func (s Settings) config(found map[string]string) (Config, error) {
	c := Config{
		FindLinks: strings.Fields(found["find-links"]), Cert: found["cert"], ClientCert: found["client-cert"],
		TrustedHosts: strings.Fields(found["trusted-host"]), Proxy: found["proxy"], Netrc: s.netrc(), Timeout: 15 * time.Second,
	}
	if c.Cert == "" {
		c.Cert = s.Env("REQUESTS_CA_BUNDLE")
	}
	for _, key := range []string{"default-timeout", "timeout"} {
		if text := found[key]; text != "" {
			seconds, err := strconv.ParseFloat(text, 64)
			if err != nil || seconds <= 0 || seconds > 86400 {
				return Config{}, fmt.Errorf("pip configuration: %s is %q, which is not a number of seconds", key, text)
			}
			c.Timeout = time.Duration(seconds * float64(time.Second))
		}
	}
	var err error
	if c.PreReleases, err = truth(found, "pre"); err != nil {
		return Config{}, err
	}
	without, err := truth(found, "no-index")
	if err != nil {
		return Config{}, err
	}
	if c.NoIndex = without; !without {
		c.Indexes = append(strings.Fields(found["index-url"]), strings.Fields(found["extra-index-url"])...)
	}
	return c, nil
}

func truth(found map[string]string, key string) (bool, error) {
	switch strings.ToLower(found[key]) {
	case "", "0", "n", "no", "f", "false", "off":
		return false, nil
	case "1", "y", "yes", "t", "true", "on":
		return true, nil
	}
	return false, fmt.Errorf("pip configuration: %s is %q, which is neither yes nor no", key, found[key])
}

// files lists pip's files, the weakest first.
func (s Settings) files() []string {
	own := s.Env("PIP_CONFIG_FILE")
	if own == os.DevNull {
		return nil
	}
	machine, user := s.machineFiles(), s.userFiles()
	if own != "" {
		user = nil // as pip: a file that is named stands in for the user's
	}
	files := append(machine, user...)
	if env := s.Env("VIRTUAL_ENV"); env != "" {
		files = append(files, filepath.Join(env, s.fileName()))
	}
	if own != "" {
		files = append(files, own)
	}
	return files
}

func (s Settings) fileName() string {
	if s.GOOS == "windows" {
		return "pip.ini"
	}
	return "pip.conf"
}

func (s Settings) machineFiles() []string {
	switch s.GOOS {
	case "windows":
		return []string{filepath.Join(s.Env("ProgramData"), "pip", "pip.ini")}
	case "darwin":
		return []string{"/Library/Application Support/pip/pip.conf"}
	}
	var files []string
	dirs := s.Env("XDG_CONFIG_DIRS")
	if dirs == "" {
		dirs = "/etc/xdg"
	}
	for _, dir := range filepath.SplitList(dirs) {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	}
	return append(files, "/etc/pip.conf")
}

func (s Settings) userFiles() []string {
	if s.GOOS == "windows" {
		return []string{filepath.Join(s.Home, "pip", "pip.ini"), filepath.Join(s.Env("APPDATA"), "pip", "pip.ini")}
	}
	dir := s.Env("XDG_CONFIG_HOME")
	if dir == "" {
		dir = filepath.Join(s.Home, ".config")
	}
	files := []string{filepath.Join(s.Home, ".pip", "pip.conf"), filepath.Join(dir, "pip", "pip.conf")}
	if s.GOOS == "darwin" {
		files = append(files, filepath.Join(s.Home, "Library", "Application Support", "pip", "pip.conf"))
	}
	return files
}

func (s Settings) netrc() string {
	if file := s.Env("NETRC"); file != "" {
		return file
	}
	if s.GOOS == "windows" {
		return filepath.Join(s.Home, "_netrc")
	}
	return filepath.Join(s.Home, ".netrc")
}

// Redact writes an address without the name and the password in it.
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that cannot be read)"
	}
	u.User = nil
	return u.String()
}
