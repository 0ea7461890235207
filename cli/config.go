package cli

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/alecthomas/kong"
)

// Config is everything the server can be told. Each field is a flag (--listen), an environment variable
// (EDICT_LISTEN) and a key of the file (server: {listen: …}); the tags hold its default and its description,
// and docs/edict.sample.yaml is written from them (go test ./cli -update). The group tag of a section is its name in
// the file, its prefix tag what its flags begin with.
//
// A new setting is a field of its section; a new section is a type in a file of its own, a field here and
// a line in the table sections.
type Config struct {
	Server ServerConfig `embed:"" group:"server"`
	Log    LogConfig    `embed:"" group:"log" prefix:"log-"`
}

// sections names the sections of Config in the order of the help and of the sample file.
var sections = []kong.Group{
	{Key: "server", Title: "Server"},
	{Key: "log", Title: "Log"},
}

// ServerConfig says where the server listens and where its data lives.
type ServerConfig struct {
	Listen      string        `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to serve on; port 0 picks a free one."`
	AdminListen string        `placeholder:"ADDR" help:"Address for metrics and profiles, which need no token: keep it private. Off when empty."`
	Drain       time.Duration `default:"20s" placeholder:"TIME" help:"How long requests under way may take to finish once the server is told to stop."`
	DataConfig  `embed:""`
}

// DataConfig is the one setting of the server that commands working beside it share.
type DataConfig struct {
	Data string `default:"./edict-data" placeholder:"DIR" help:"Directory of everything that must survive; created when missing, readable by its owner alone."`
}

// LogConfig says what the server tells on standard error. Payloads and tokens are never logged.
type LogConfig struct {
	Level  string `default:"info" placeholder:"LEVEL" enum:"debug,info,warn,error" help:"Least important level to log: ${enum}."`
	Format string `default:"text" placeholder:"FORM" enum:"text,json" help:"Form of a log line: ${enum}."`
}

// validate reports what is wrong with a configuration whose fields are each right.
func (c *Config) validate() error {
	var wrong []error
	wrong = append(wrong, checkAddr("--listen", c.Server.Listen))
	if c.Server.AdminListen != "" {
		wrong = append(wrong, checkAddr("--admin-listen", c.Server.AdminListen))
	}
	if c.Server.Data == "" {
		wrong = append(wrong, errors.New("--data: give a directory"))
	}
	if c.Server.Drain < 0 {
		wrong = append(wrong, fmt.Errorf("--drain: %v is negative", c.Server.Drain))
	}
	return errors.Join(wrong...)
}

func checkAddr(flag, addr string) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return fmt.Errorf("%s: %q is not HOST:PORT", flag, addr)
	}
	return nil
}

// sectionGroups adds to each section's title the name it has in the file.
func sectionGroups() []kong.Group {
	groups := make([]kong.Group, len(sections))
	for i, s := range sections {
		groups[i] = kong.Group{Key: s.Key, Title: fmt.Sprintf("%s (section %q of the file):", s.Title, s.Key)}
	}
	return groups
}
