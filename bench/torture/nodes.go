package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/bench/program"
	"edict/platform/db/bustest"
	"edict/platform/db/pgtest"
)

// cluster is several nodes on one PostgreSQL with a synchronous standby. Each node reaches both servers through proxies of its own.
type cluster struct {
	binary, dir      string
	standbyRule      string // --store-standby
	pg               *pgtest.Replicas
	primary, standby string // names of the servers, as they are now
	tools            *link
	nodes            []*node
	nats             *bustest.NATS // the bus; nil: PostgreSQL is
	calm             sync.RWMutex  // held for reading by commands, which PostgreSQL and its lock have to be there for
}

// node is one of the servers.
type node struct {
	loses          bool // what was acknowledged is lost under it, of which it may tell
	number, starts int
	link           *link
	bus            *bustest.Proxy  // nil: PostgreSQL is the bus
	server         *program.Server // nil: it does not run
}

// link is a way to both servers of PostgreSQL.
type link struct {
	proxies map[string]*pgtest.Proxy
	address string
}

func newLink(pg *pgtest.Replicas) (*link, error) {
	l := &link{proxies: map[string]*pgtest.Proxy{}}
	var hosts []string
	for _, name := range []string{pgtest.Primary, pgtest.Standby} {
		p, err := pgtest.StartProxy(pg.Address(name), 0)
		if err != nil {
			l.close()
			return nil, err
		}
		l.proxies[name] = p
		u, err := url.Parse(p.Address)
		if err != nil {
			l.close()
			return nil, err
		}
		hosts = append(hosts, u.Host)
	}
	l.address = "postgres://postgres@" + strings.Join(hosts, ",") + "/postgres?sslmode=disable&target_session_attrs=read-write"
	return l, nil
}

func (l *link) close() {
	for _, p := range l.proxies {
		p.Close()
	}
}

// each does something to the ways to both servers.
func (l *link) each(do func(*pgtest.Proxy)) {
	for _, p := range l.proxies {
		do(p)
	}
}

// newCluster starts PostgreSQL and its standby, a NATS if that is the bus, and the ways of nodes to them.
func newCluster(binary, dir string, nodes int, nats bool) (*cluster, error) {
	pg, err := pgtest.LaunchReplicas(true)
	if err != nil {
		return nil, err
	}
	c := &cluster{binary: binary, dir: dir, standbyRule: "require", pg: pg, primary: pgtest.Primary, standby: pgtest.Standby}
	if c.tools, err = newLink(pg); err != nil {
		c.close()
		return nil, err
	}
	if nats {
		if c.nats, err = bustest.Launch("", ""); err != nil {
			c.close()
			return nil, err
		}
	}
	for n := range nodes {
		if err := c.addNode(n); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// addNode makes the ways of a node.
func (c *cluster) addNode(number int) (err error) {
	n := &node{number: number}
	if n.link, err = newLink(c.pg); err != nil {
		return err
	}
	c.nodes = append(c.nodes, n)
	if c.nats != nil {
		n.bus, err = bustest.StartProxy(c.nats)
	}
	return err
}

// close ends everything.
func (c *cluster) close() {
	for _, n := range c.nodes {
		if n.server != nil {
			_ = n.server.Kill()
		}
		n.link.close()
		if n.bus != nil {
			n.bus.Close()
		}
	}
	if c.nats != nil {
		c.nats.Close()
	}
	if c.tools != nil {
		c.tools.close()
	}
	c.pg.Close()
}

// start implements victim.
func (c *cluster) start(ctx context.Context, _ time.Duration) (urls []string, err error) {
	for _, n := range c.nodes {
		url, err := c.startNode(ctx, n, 0)
		if err != nil {
			return nil, err
		}
		urls = append(urls, url)
	}
	return urls, nil
}

// startNode starts a node and returns where it listens. With mercy it is killed after that time, whatever it is doing, and there may be no URL.
func (c *cluster) startNode(_ context.Context, n *node, mercy time.Duration) (url string, err error) {
	n.starts++
	flags := append(serverFlags(), "--data", filepath.Join(c.dir, fmt.Sprint("node", n.number)), "--store", n.link.address,
		"--store-standby", c.standbyRule, "--store-wait", "1m", "--node", fmt.Sprintf("%d-%d", n.number, n.starts))
	if n.bus != nil {
		flags = append(flags, "--bus", n.bus.URL)
	}
	n.server, err = program.Start(program.Edict(c.binary, flags...))
	if err != nil {
		return "", err
	}
	url, err = await(n.server, mercy)
	switch {
	case err != nil:
		words := errors.Join(err, n.kill(), errors.New(n.server.Words()))
		return "", fmt.Errorf("node %d: %w", n.number, words)
	case url == "":
		return "", n.bury()
	}
	return url, nil
}

// kill ends a node at once.
func (n *node) kill() error {
	if err := n.server.Signal(os.Kill); err != nil {
		return errors.Join(fmt.Errorf("node %d ended by itself: %w", n.number, err), n.bury())
	}
	return n.bury()
}

// expected are the errors that a node may tell of: those of a PostgreSQL that is not there, or was away for longer than a claim waits.
var expected = []string{
	"writing failed: refusing writes until it works again", "the server cannot reach its store now", "the connection to the store was lost while this was being stored",
	away, "the server's store is not set up to keep what it acknowledges", "wake-ups cannot be claimed",
}

// away is what commands and nodes say that do not reach PostgreSQL.
const away = "the database cannot be read now"

// bury waits for the end of a node that was killed, and reads its last words.
func (n *node) bury() error {
	state, words := n.server.Wait(), n.server.Words()
	if state.Exited() {
		return fmt.Errorf("node %d ended by itself: %v\n%s", n.number, state, words)
	}
	for line := range strings.SplitSeq(words, "\n") {
		trouble := strings.Contains(line, "panic") || strings.Contains(line, "level=ERROR")
		told := n.loses && strings.Contains(line, "the store has lost what it acknowledged")
		if trouble && !told && !slices.ContainsFunc(expected, func(text string) bool { return strings.Contains(line, text) }) {
			return fmt.Errorf("node %d complained: %s", n.number, line)
		}
	}
	return nil
}

// kill implements victim.
func (c *cluster) kill() (err error) {
	for _, n := range c.nodes {
		err = errors.Join(err, n.kill())
	}
	return err
}

// end implements victim.
func (c *cluster) end() {}

// beside implements victim.
func (c *cluster) beside() bool { return true }

// hears implements victim: commands tell nodes what they commit.
func (c *cluster) hears() bool { return true }

// command implements victim.
func (c *cluster) command(ctx context.Context, args ...string) (string, error) {
	c.calm.RLock()
	defer c.calm.RUnlock()
	args = append(args, "--store", c.tools.address, "--data", filepath.Join(c.dir, "tools"))
	for tries := 3; ; tries-- { // a machine with much to do may not connect in time
		out, err := runCommand(ctx, c.binary, args)
		if err == nil || tries == 0 || !strings.Contains(err.Error(), away) {
			return out, err
		}
	}
}
