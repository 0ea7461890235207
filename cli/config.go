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
	Storage   StorageConfig   `embed:"" group:"storage"`
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
	{Key: "storage", Title: "Storage"},
	{Key: "push", Title: "Wake-ups"},
	{Key: "simulation", Title: "Simulation"},
	{Key: "client", Title: "Client"},
}

// ServerConfig says where the server listens and where its data lives.
type ServerConfig struct {
	Listen      string        `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to listen on. Port 0 picks a free port."`
	AdminListen string        `placeholder:"ADDR" help:"Address for metrics and profiles. They need no token: keep it private. Disabled when empty."`
	Proxies     []string      `placeholder:"CIDR" help:"Trusted reverse proxies (10.0.0.7, 10.0.0.0/8). Their X-Forwarded-For names the client in logs and limits, and --limits-per-address does not apply to them. By default, no proxy is trusted."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"Public URL of the server, such as https://api.example.org, for links and discovery documents. Defaults to the Host header of each request."`
	Drain       time.Duration `default:"20s" placeholder:"TIME" help:"Timeout for requests in progress when the server stops."`
	Only        string        `placeholder:"SERVICE" help:"Run only one service: messaging or simulation. Simulation needs no data directory and no users."`
	Headroom    Size          `default:"64MiB" placeholder:"SIZE" help:"Memory that garbage may fill, in addition to the memory in use, before a collection. Higher values use less CPU."`
	Console     bool          `default:"true" negatable:"" help:"Serve the web console below /console/."`
	Demo        bool          `help:"Start with two users, sample channels and commands to paste. Uses a temporary directory unless --data is given. Loopback only."`

	UntilInputEnds bool `help:"Stop when standard input ends, as on SIGTERM. For programs that start a server and may crash."`

	Watch     bool   `help:"Enable watches: encrypted households whose owners are notified when the law changes their figures (docs/guides/watches.md). Needs both services."`
	WatchKey  string `placeholder:"FILE" help:"Key file for watches. Defaults to DATA/watch.key, created on the first start. Backups never contain it, and without it watches are lost."`
	WatchRuns int    `default:"10" placeholder:"N" help:"Maximum number of watch runs per 24 hours, on all nodes together. Each report reveals a little about every household."`

	Node         string        `placeholder:"NAME" help:"Name of this node in the cluster and in logs. Running nodes need distinct names."`
	Bus          string        `default:"postgres" placeholder:"WHAT" help:"Bus that carries commit hints between nodes: postgres, or NATS servers such as nats://nats1.example:4222,nats://nats2.example:4222 (tls://… encrypts). Without hints, events arrive 0.2 s later. Pass passwords in EDICT_BUS or the file."`
	StoreStandby string        `default:"warn" placeholder:"WHAT" enum:"warn, require" help:"Reaction to a --store without synchronous standby: ${enum}. Without a standby, losing the database machine loses the last acknowledged writes."`
	StoreWait    time.Duration `default:"8s" placeholder:"TIME" help:"Timeout for reaching PostgreSQL at startup."`
	StoreConfig  `embed:""`
}

// defaultListen is the default of ServerConfig.Listen.
const defaultListen = "127.0.0.1:8080"

// defaultData is the default of DataConfig.Data.
const defaultData = "./edict-data"

// DataConfig is the one setting of the server that commands working beside it share; embed it with group:"server".
type DataConfig struct {
	Data string `default:"./edict-data" placeholder:"DIR" help:"Data directory. Created if missing, readable only by its owner."`
}

// StoreConfig says where users and messages are: in the data directory, or in PostgreSQL. Commands that work beside the server share it.
type StoreConfig struct {
	DataConfig `embed:""`
	Store      string `placeholder:"URL" help:"PostgreSQL URL for users and messages, such as postgres://edict@db.example/edict. Defaults to the data directory. Pass passwords in EDICT_STORE, the file or PGPASSWORD."`
}

// TLSConfig says where certificates come from. Without any, the server uses plain HTTP.
type TLSConfig struct {
	Cert          string   `placeholder:"FILE" help:"Certificate chain (PEM), reloaded when it changes."`
	Key           string   `placeholder:"FILE" help:"Private key (PEM)."`
	ACMEHosts     []string `name:"acme-hosts" placeholder:"HOST" help:"Host names to obtain ACME certificates for, instead of files. The public listener must be reachable on port 443."`
	ACMEEmail     string   `name:"acme-email" placeholder:"ADDRESS" help:"Contact e-mail address for the ACME authority."`
	ACMEDirectory string   `name:"acme-directory" placeholder:"URL" help:"Directory URL of the ACME authority. Defaults to Let's Encrypt."`
	ACMETerms     bool     `name:"acme-accept-terms" help:"Accept the ACME authority's terms, which it requires."`
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
	Level  string        `default:"info" placeholder:"LEVEL" enum:"debug, info, warn, error" help:"Minimum level to log: ${enum}."`
	Format string        `default:"text" placeholder:"FORM" enum:"text, json" help:"Format of log lines: ${enum}."`
	Access string        `default:"failures" placeholder:"WHICH" enum:"failures, all, none" help:"Requests to log: ${enum}. Slow requests count as failures."`
	Slow   time.Duration `default:"10s" placeholder:"TIME" help:"Duration from which a request counts as slow."`
}

var accessLogs = map[string]web.AccessLog{"failures": web.LogFailures, "all": web.LogAll, "none": web.LogNothing}

// LimitsConfig bounds what one request may cost.
type LimitsConfig struct {
	Body       Size          `default:"4MiB" placeholder:"SIZE" help:"Maximum size of a request body, unless the endpoint has its own limit."`
	Depth      int           `default:"100" placeholder:"N" help:"Maximum nesting depth of JSON in a request."`
	Header     Size          `default:"64KiB" placeholder:"SIZE" help:"Maximum size of a request's line and headers."`
	ReadHeader time.Duration `default:"10s" placeholder:"TIME" help:"Timeout for receiving a request's line and headers."`
	Read       time.Duration `default:"60s" placeholder:"TIME" help:"Timeout for receiving a whole request."`
	Write      time.Duration `default:"120s" placeholder:"TIME" help:"Timeout for producing and sending a response. If processing may take that long, the timeout starts with the first byte. Streams are exempt."`
	Idle       time.Duration `default:"120s" placeholder:"TIME" help:"Timeout of idle connections."`
	Handler    time.Duration `default:"60s" placeholder:"TIME" help:"Timeout for processing a request."`
	Memory     Size          `default:"1536MiB" placeholder:"SIZE" help:"Maximum memory of the server: half for simulations, an eighth for messaging, a sixteenth for stream replays. Requests beyond get 503; small requests are rejected last."`

	Connections int `default:"0" placeholder:"N" help:"Maximum number of connections, streams included; 0 derives it from the limit on open files, which also caps it."`
	PerAddress  int `default:"2000" placeholder:"N" help:"Maximum number of connections per address (IPv6: per /64 network), up to half of all. Addresses in --proxies are exempt."`
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
	return errors.Join(c.Server.validate(), err, c.TLS.validate(), c.Limits.validate(), c.Auth.validate(), c.Messaging.validate(), c.Storage.validate(), c.Push.validate(),
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
