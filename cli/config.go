package cli

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"edict/platform/db"
	"edict/platform/web"
)

// Config is everything the server can be told. Each field is a flag (--listen), an environment variable
// (EDICT_LISTEN) and a key of the file (server: {listen: …}); the tags hold its default and its description,
// and docs/reference/edict.sample.yaml is written from them (go test ./cli -update). The group tag of a section is its
// name in the file, its prefix tag what its flags begin with.
//
// A new setting is a field of its section; a new section is a type in a file of its own (config_NAME.go), a field
// here and a line in the table sections.
type Config struct {
	Server    ServerConfig    `embed:"" group:"server"`
	TLS       TLSConfig       `embed:"" group:"tls" prefix:"tls-"`
	Log       LogConfig       `embed:"" group:"log" prefix:"log-"`
	Limits    LimitsConfig    `embed:"" group:"limits" prefix:"limits-"`
	Auth      AuthConfig      `embed:"" group:"auth" prefix:"auth-"`
	Messaging MessagingConfig `embed:"" group:"messaging" prefix:"messaging-"`
	Push      PushConfig      `embed:"" group:"push" prefix:"push-"`

	Simulation SimulationConfig `embed:"" group:"simulation"`
}

// sections names the sections of Config in the order of the help and of the sample file.
var sections = []kong.Group{
	{Key: "server", Title: "Server"},
	{Key: "tls", Title: "TLS"},
	{Key: "log", Title: "Log"},
	{Key: "limits", Title: "Limits"},
	{Key: "auth", Title: "Identity"},
	{Key: "messaging", Title: "Messaging"},
	{Key: "push", Title: "Wake-ups"},
	{Key: "simulation", Title: "Simulation"},
	{Key: "client", Title: "Client"},
}

// ServerConfig says where the server listens and where its data lives.
type ServerConfig struct {
	Listen      string        `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to serve on; port 0 picks a free one."`
	AdminListen string        `placeholder:"ADDR" help:"Address for metrics and profiles, which need no token: keep it private. Off when empty."`
	Proxies     []string      `placeholder:"CIDR" help:"Addresses of reverse proxies (10.0.0.7, 10.0.0.0/8) whose X-Forwarded-For names the client, in logs and in limits on failed sign-ins, and whose connections are not limited as those of one address. By default, no proxy is trusted."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"Where callers find the server, such as https://api.example.org: what links in answers and the discovery documents begin with. When empty, the Host of each request."`
	Drain       time.Duration `default:"20s" placeholder:"TIME" help:"How long requests under way may take to finish once the server is told to stop."`
	Only        string        `placeholder:"SERVICE" help:"Run one service alone: messaging or simulation. Simulation alone needs no data directory and no users."`
	Headroom    Size          `default:"64MiB" placeholder:"SIZE" help:"Memory that garbage may fill, besides as much as is in use, before it is collected. More takes load off the processor."`
	Console     bool          `default:"true" negatable:"" help:"Serve the console, pages for browsers below /console/; --no-console or --console=false turns it off."`
	Demo        bool          `help:"Start with two users, some channels and commands to paste, in a temporary directory unless --data names another than the default. Loopback only."`

	UntilInputEnds bool `help:"Stop, as on SIGTERM, when standard input ends: for programs that start a server of their own and may end without a word."`

	Watch     bool   `help:"Let people leave households with the server, encrypted, and tell them when a change of the law changes their figures (docs/guides/watches.md). Needs both services."`
	WatchKey  string `placeholder:"FILE" help:"File of the key that watches are encrypted with; DATA/watch.key when empty. It is made on the first start and never part of a backup: without it watches are lost."`
	WatchRuns int    `default:"10" placeholder:"N" help:"Maximum number of runs over watches that may be started in 24 hours, on all nodes together. Each report reveals a little about every household."`

	Node         string        `placeholder:"NAME" help:"Name of this server among several on the PostgreSQL of --store, and in logs. No other that runs may have it."`
	Bus          string        `default:"postgres" placeholder:"WHAT" help:"How servers on one --store hint to each other that something was committed: postgres, or a NATS, such as nats://nats1.example:4222,nats://nats2.example:4222 (tls://… for an encrypted one). Without hints everything comes 0.2 s later. Keep a password out of the command line: EDICT_BUS or the file."`
	StoreStandby string        `default:"warn" placeholder:"WHAT" enum:"warn, require" help:"What to do when the PostgreSQL of --store has no synchronous standby: ${enum}. Without one, the loss of its machine loses what was acknowledged last."`
	StoreWait    time.Duration `default:"8s" placeholder:"TIME" help:"How long to wait at the start for a PostgreSQL that cannot be reached."`
	StoreConfig  `embed:""`
}

// defaultListen is the default of ServerConfig.Listen.
const defaultListen = "127.0.0.1:8080"

// defaultData is the default of DataConfig.Data.
const defaultData = "./edict-data"

// DataConfig is the one setting of the server that commands working beside it share; embed it with group:"server".
type DataConfig struct {
	Data string `default:"./edict-data" placeholder:"DIR" help:"Directory of everything that must survive; created when missing, readable by its owner alone."`
}

// StoreConfig says where users and messages are: in the data directory, or in PostgreSQL. Commands that work beside the server share it.
type StoreConfig struct {
	DataConfig `embed:""`
	Store      string `placeholder:"URL" help:"PostgreSQL for users and messages in place of the data directory, such as postgres://edict@db.example/edict. Keep a password out of the command line: EDICT_STORE, the file, or PGPASSWORD."`
}

// TLSConfig says where certificates come from. Without any, the server speaks plain HTTP.
type TLSConfig struct {
	Cert          string   `placeholder:"FILE" help:"Certificate chain (PEM); read again when it changes."`
	Key           string   `placeholder:"FILE" help:"Private key of the certificate (PEM)."`
	ACMEHosts     []string `name:"acme-hosts" placeholder:"HOST" help:"Names to get certificates for from an ACME authority, in place of files. The public listener must be reachable on port 443."`
	ACMEEmail     string   `name:"acme-email" placeholder:"ADDRESS" help:"Where the ACME authority may write to."`
	ACMEDirectory string   `name:"acme-directory" placeholder:"URL" help:"Directory of the ACME authority; Let's Encrypt when empty."`
	ACMETerms     bool     `name:"acme-accept-terms" help:"Accept the terms of the ACME authority, without which it gives no certificates."`
}

func (c TLSConfig) scheme() string {
	if c.Cert != "" || len(c.ACMEHosts) > 0 {
		return "https"
	}
	return "http"
}

func (c TLSConfig) options(data string) web.TLS {
	return web.TLS{
		CertFile: c.Cert, KeyFile: c.Key,
		Hosts: c.ACMEHosts, Email: c.ACMEEmail, DirectoryURL: c.ACMEDirectory, AcceptedTerms: c.ACMETerms,
		CacheDir: filepath.Join(data, "acme"),
	}
}

// hostName is what a certificate can be for.
var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

func (c TLSConfig) validate() error {
	switch acme := len(c.ACMEHosts) > 0; {
	case (c.Cert == "") != (c.Key == ""):
		return fmt.Errorf("--tls-cert %q, --tls-key %q: a certificate and its key go together; give both", c.Cert, c.Key)
	case acme && c.Cert != "":
		return errors.New("--tls-acme-hosts: certificates come from files or from an ACME authority, not from both")
	case acme && !c.ACMETerms:
		return errors.New("--tls-acme-hosts: also give --tls-acme-accept-terms, once you have read the authority's terms")
	}
	wrong := []error{webURL("--tls-acme-directory", c.ACMEDirectory)}
	for _, host := range c.ACMEHosts {
		if !hostName.MatchString(host) {
			wrong = append(wrong, fmt.Errorf("--tls-acme-hosts: %q is not the name of a host; give one such as api.example.org", host))
		}
	}
	if c.ACMEEmail != "" && !strings.Contains(c.ACMEEmail, "@") {
		wrong = append(wrong, fmt.Errorf("--tls-acme-email: %q is not an address; give one such as ops@example.org", c.ACMEEmail))
	}
	return errors.Join(wrong...)
}

// LogConfig says what the server tells on standard error. Payloads and tokens are never logged.
type LogConfig struct {
	Level  string        `default:"info" placeholder:"LEVEL" enum:"debug, info, warn, error" help:"Least important level to log: ${enum}."`
	Format string        `default:"text" placeholder:"FORM" enum:"text, json" help:"Form of a log line: ${enum}."`
	Access string        `default:"failures" placeholder:"WHICH" enum:"failures, all, none" help:"Requests to log: ${enum}. Slow ones count as failures."`
	Slow   time.Duration `default:"10s" placeholder:"TIME" help:"How long a request may take before it is slow."`
}

var accessLogs = map[string]web.AccessLog{"failures": web.LogFailures, "all": web.LogAll, "none": web.LogNothing}

// LimitsConfig bounds what one request may cost.
type LimitsConfig struct {
	Body       Size          `default:"4MiB" placeholder:"SIZE" help:"Largest body of a request, where an endpoint has no limit of its own."`
	Depth      int           `default:"100" placeholder:"N" help:"Deepest nesting of JSON in a request."`
	Header     Size          `default:"64KiB" placeholder:"SIZE" help:"Largest head of a request: its line and its headers."`
	ReadHeader time.Duration `default:"10s" placeholder:"TIME" help:"How long a client may take to send the head of a request."`
	Read       time.Duration `default:"60s" placeholder:"TIME" help:"How long a client may take to send a whole request."`
	Write      time.Duration `default:"120s" placeholder:"TIME" help:"How long an answer may take to be made and sent to its last byte, however slowly it is read; where the work alone may take as long, from its first byte on. Streams have no such limit."`
	Idle       time.Duration `default:"120s" placeholder:"TIME" help:"How long a connection may wait for its next request."`
	Handler    time.Duration `default:"60s" placeholder:"TIME" help:"How long the work for one request may take."`
	Memory     Size          `default:"1536MiB" placeholder:"SIZE" help:"Memory that the server may use. Half of it is for simulations under way, with their bodies and answers, an eighth for bodies and pages of messaging, a sixteenth for what streams replay; requests beyond that are told to come back, small ones last."`

	Connections int `default:"0" placeholder:"N" help:"Most connections at once, streams included; 0: as many as the open files of the process leave room for, which is never exceeded."`
	PerAddress  int `default:"2000" placeholder:"N" help:"Most connections from one address (IPv6: one /64 network), and never more than half of all; those of --proxies are not counted so."`
}

func (c LimitsConfig) apply(o *web.Options) {
	o.MaxBody, o.MaxDepth, o.MaxHeaderBytes = int64(c.Body), c.Depth, int(c.Header)
	o.ReadHeaderTimeout, o.ReadTimeout = c.ReadHeader, c.Read
	o.WriteTimeout, o.IdleTimeout, o.HandlerTimeout = c.Write, c.Idle, c.Handler
	o.MaxConnections, o.MaxPerAddress = c.Connections, c.PerAddress
}

func (c LimitsConfig) validate() error {
	return errors.Join(
		positive("--limits-body", c.Body), positive("--limits-depth", c.Depth), positive("--limits-header", c.Header),
		positive("--limits-read-header", c.ReadHeader), positive("--limits-read", c.Read), positive("--limits-write", c.Write),
		positive("--limits-idle", c.Idle), positive("--limits-handler", c.Handler), positive("--limits-memory", c.Memory),
		positive("--limits-per-address", c.PerAddress), atLeast("--limits-connections", c.Connections, 0))
}

// validate reports what is wrong with a configuration whose fields are each right.
func (c *Config) validate() error {
	_, err := parseNetworks("--proxies", c.Server.Proxies)
	return errors.Join(c.Server.validate(), err, c.TLS.validate(), c.Limits.validate(), c.Auth.validate(), c.Messaging.validate(), c.Push.validate(),
		c.Simulation.validate(), c.checkSimulationAuth(), c.checkDemo(), c.checkPayload(), c.checkMemory())
}

// maxHeadroom is more address space than garbage can need, and less than any system refuses.
const maxHeadroom = 64 << 30

func (c *ServerConfig) validate() error {
	wrong := []error{checkAddr("--listen", c.Listen), positive("--drain", c.Drain), c.StoreConfig.validate(), c.checkBus()}
	if c.PublicURL != "" {
		if _, err := web.ParsePublicURL(c.PublicURL); err != nil {
			wrong = append(wrong, fmt.Errorf("--public-url: %w, not %q", err, c.PublicURL))
		}
	}
	if c.AdminListen != "" {
		wrong = append(wrong, checkAddr("--admin-listen", c.AdminListen))
	}
	if only := c.Only; only != "" && only != onlyMessaging && only != onlySimulation {
		wrong = append(wrong, fmt.Errorf("--only: %q is neither messaging nor simulation", only))
	}
	if c.Watch && c.Only != "" {
		wrong = append(wrong, fmt.Errorf("--watch: with --only %s there are no watches, which need both services; leave out --only", c.Only))
	}
	if c.Headroom > maxHeadroom {
		wrong = append(wrong, fmt.Errorf("--headroom: %v is too large; give %v or less", c.Headroom, Size(maxHeadroom)))
	}
	return errors.Join(append(wrong, atLeast("--store-wait", c.StoreWait, 0), atLeast("--watch-runs", c.WatchRuns, 1))...)
}

// validate reports a place where no data can be. It shows no address of PostgreSQL with its password.
func (c StoreConfig) validate() error {
	if c.Data == "" {
		return errors.New(`--data: "" is not a directory; give one`)
	}
	if c.Store == "" {
		return nil
	}
	if err := db.CheckAddress(c.Store); err != nil {
		return fmt.Errorf("--store: %s: %w", c.address(), err)
	}
	return nil
}

// checkBus reports a bus that cannot be, or that has nothing to connect. A bus may hold a password, so it is not shown.
func (c *ServerConfig) checkBus() error {
	if err := db.CheckBus(c.Bus); err != nil {
		return fmt.Errorf("--bus: %w", err)
	}
	if c.Store == "" && c.Bus != "" && c.Bus != db.PostgresBus {
		return errors.New("--bus: a bus (--bus) is between several servers, which need a PostgreSQL (--store postgres://…); a data directory has one server, so leave it out")
	}
	return nil
}

// checkSimulationAuth reports simulations that need tokens where there are no users.
func (c *Config) checkSimulationAuth() error {
	if c.Server.Only != onlySimulation || c.Simulation.Auth != "required" {
		return nil
	}
	return errors.New("--simulation-auth: required needs users, which --only simulation does not have; leave out one of the two")
}

// checkPayload reports a limit on content that the limit on bodies keeps anybody from reaching.
func (c *Config) checkPayload() error {
	if c.Server.Only == onlySimulation || c.Messaging.Payload <= c.Limits.Body {
		return nil
	}
	return fmt.Errorf("--messaging-payload: content of %v can never arrive, since --limits-body ends a request at %v: raise --limits-body, or lower --messaging-payload", c.Messaging.Payload, c.Limits.Body)
}

// parseNetworks reads addresses and ranges of addresses.
func parseNetworks(flag string, words []string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, word := range words {
		network, err := netip.ParsePrefix(word)
		if ip, single := netip.ParseAddr(word); single == nil {
			network, err = ip.Prefix(ip.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %q is neither an address (10.0.0.7) nor a range (10.0.0.0/8)", flag, word)
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

func checkAddr(flag, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s: %q is not HOST:PORT", flag, addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%s: %q has no port that exists; give one from 0 to 65535", flag, addr)
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
