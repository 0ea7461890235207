package sqlstore

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"edict/messaging"
	"edict/platform/db"
)

// Who is connected is known to the node that has the streams. Each tells the others (see platform/db, Follow) how many streams a user has there by
// device, whenever that changes, and everything when a node asks that has just come or has missed something. What a node told counts as long as its
// lease lives; whoever was connected to a node that is gone has left, and may have missed something (messaging.Departures).
//
// A stream begins when the others know of it: the notice is in the order of commits, so a node that claims a wake-up either knows of the stream, or
// has committed the claim before, where the stream finds it.

// presenceTopic is what these notices are told under.
const presenceTopic = "presence"

// presenceNotice is what a node tells of its streams.
type presenceNotice struct {
	Node  string                    `json:"node"`
	Ask   bool                      `json:"ask,omitempty"`   // the others are to tell everything
	Begin bool                      `json:"begin,omitempty"` // of everything
	End   bool                      `json:"end,omitempty"`   // of everything: who was not told of since its beginning is gone
	Users map[string]map[string]int `json:"users,omitempty"` // streams by user, folded, and device; of a user without any, none
}

// presenceBatch is how many users one notice tells of.
const presenceBatch = 2000

// LocalStreams is the streams of this node.
type LocalStreams interface {
	// StreamsOf counts those of a user by device; the map is the caller's.
	StreamsOf(user string) map[string]int
	// ConnectedUsers lists the users, folded, that have any.
	ConnectedUsers() []string
}

// Presence is who is connected to other nodes. Its methods may be called from any goroutine.
type Presence struct {
	db    *db.DB
	log   *slog.Logger
	local LocalStreams         // set by Begin
	gone  func(users []string) // likewise

	patience time.Duration // of Await

	mu     sync.Mutex
	others map[string]*nodeStreams
	ask    bool // the others are to tell everything
	all    bool // this node is
	wake   chan struct{}
	heard  chan struct{} // closed when a node has told a part of everything, and replaced
}

// nodeStreams is what a node told.
type nodeStreams struct {
	users map[string]map[string]int
	next  map[string]map[string]int // since it began to tell everything; nil: it has not
	whole bool                      // it has told everything
}

// NewPresence returns what is known of the streams of other nodes of a database: nothing yet.
func NewPresence(d *db.DB, log *slog.Logger) *Presence {
	p := &Presence{
		db: d, log: log, others: map[string]*nodeStreams{}, wake: make(chan struct{}, 1), heard: make(chan struct{}),
		ask: true, all: true, patience: presencePatience,
	}
	d.Follow(presenceTopic, p.told, p.lost)
	return p
}

// Nodes returns how many nodes are alive, this one included.
func (p *Presence) Nodes() int { return max(1, len(p.db.Nodes())) }

// Connected implements messaging.Presence for other nodes.
func (p *Presence) Connected(user messaging.UserID, device string) bool {
	connected := false
	p.each(user.Fold(), func(devices map[string]int) {
		connected = connected || len(devices) > 0 && (device == "" || devices[device] > 0 || devices[""] > 0)
	})
	return connected
}

// Streams counts the streams of a user by device.
func (p *Presence) Streams(user messaging.UserID) map[string]int {
	var sum map[string]int
	p.each(user.Fold(), func(devices map[string]int) {
		for device, n := range devices {
			if sum == nil {
				sum = map[string]int{}
			}
			sum[device] += n
		}
	})
	return sum
}

// each calls fn with the streams of a user on each other node that is alive.
func (p *Presence) each(user string, fn func(devices map[string]int)) {
	nodes := p.db.Nodes()
	if len(nodes) < 2 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, node := range nodes {
		if o := p.others[node]; o != nil {
			if devices := o.users[user]; devices != nil {
				fn(devices)
			}
		}
	}
}

// Users lists the users, folded, that are connected to other nodes.
func (p *Presence) Users() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := map[string]struct{}{}
	for _, node := range p.db.Nodes() {
		if o := p.others[node]; o != nil {
			for user := range o.users {
				found[user] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Entered returns when the other nodes know of the streams that a user has here.
func (p *Presence) Entered(ctx context.Context, user messaging.UserID) error {
	return p.Tell(ctx, []string{user.Fold()})
}

// Tell returns when the other nodes know of the streams that users, folded, have left here. Without users it has them told everything, soon.
func (p *Presence) Tell(ctx context.Context, users []string) error {
	if users == nil {
		p.mu.Lock()
		p.all = true
		p.mu.Unlock()
		p.signal()
		return nil
	}
	if p.db.Alone() { // whoever comes asks
		return nil
	}
	return p.write(ctx, presenceNotice{}, users)
}

func (p *Presence) signal() {
	select {
	case p.wake <- struct{}{}:
	default: // it is about to look
	}
}

// write tells of some users. Their streams are counted when the order of commits is settled.
func (p *Presence) write(ctx context.Context, n presenceNotice, users []string) error {
	return p.db.Write(ctx, func(tx *db.Tx) error {
		if !tx.Tells() {
			return nil
		}
		n.Node, n.Users = p.db.Node(), make(map[string]map[string]int, len(users))
		for _, user := range users {
			n.Users[user] = p.local.StreamsOf(user)
		}
		body, err := json.Marshal(n)
		if err == nil {
			tx.Tell(presenceTopic, body)
		}
		return err
	})
}

// told applies what another node told.
func (p *Presence) told(bodies [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, body := range bodies {
		var n presenceNotice
		if err := json.Unmarshal(body, &n); err != nil || n.Node == "" || n.Node == p.db.Node() {
			continue // of a newer edict, which tells more
		}
		p.apply(&n)
	}
}

func (p *Presence) apply(n *presenceNotice) {
	if n.Ask {
		p.all = true
		p.signal()
	}
	o := p.others[n.Node]
	if o == nil {
		o = &nodeStreams{users: map[string]map[string]int{}}
		p.others[n.Node] = o
	}
	if n.Begin {
		o.next = map[string]map[string]int{}
	}
	for user, devices := range n.Users {
		o.set(user, devices)
	}
	if o.next == nil {
		return
	}
	if n.End {
		p.departed(o.users, o.next)
		o.users, o.next, o.whole = o.next, nil, true
	}
	close(p.heard)
	p.heard = make(chan struct{})
}

func (o *nodeStreams) set(user string, devices map[string]int) {
	for _, users := range []map[string]map[string]int{o.users, o.next} {
		switch {
		case users == nil:
		case len(devices) == 0:
			delete(users, user)
		default:
			users[user] = devices
		}
	}
}

// departed says that the users among some that are not among others have left.
func (p *Presence) departed(users, others map[string]map[string]int) {
	var gone []string
	for user := range users {
		if others[user] == nil {
			gone = append(gone, user)
		}
	}
	if len(gone) > 0 {
		p.gone(gone)
	}
}

// forgetDead forgets the nodes that are no more.
func (p *Presence) forgetDead() {
	alive := p.db.Nodes()
	p.mu.Lock()
	defer p.mu.Unlock()
	for node, o := range p.others {
		if !slices.Contains(alive, node) {
			p.departed(o.users, nil)
			delete(p.others, node)
		}
	}
}

// lost says that something may have been missed, and that the others may have taken this node for dead.
func (p *Presence) lost() {
	p.mu.Lock()
	p.ask, p.all = true, true
	p.mu.Unlock()
	p.signal()
}

// presenceRetry is how long the store is left alone after it failed.
const presenceRetry = time.Second

// presenceLook is how often somebody looks whether other nodes are gone.
const presenceLook = time.Second

// Begin says what the streams of this node are, and who is told of users, folded, that left with another node, which must not block. It is called
// once, before the first stream and before Run.
func (p *Presence) Begin(local LocalStreams, gone func(users []string)) {
	p.local, p.gone = local, gone
}

// Run asks the other nodes who is connected to them, and tells them of this one's streams, until ctx ends.
func (p *Presence) Run(ctx context.Context) error {
	if p.db.Node() == "" {
		return nil // there are no others
	}
	p.signal()
	look := time.NewTicker(presenceLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			p.forgetDead()
			continue
		case <-p.wake:
		}
		if err := p.tell(ctx); err != nil && ctx.Err() == nil {
			p.log.Warn("cannot publish presence to other nodes; will retry", "error", err)
			p.lost()
			select {
			case <-ctx.Done():
			case <-time.After(presenceRetry):
			}
		}
	}
}

// tell tells what there is to tell.
func (p *Presence) tell(ctx context.Context) error {
	p.mu.Lock()
	ask, all := p.ask, p.all
	var users []string
	p.ask, p.all = false, false
	p.mu.Unlock()
	if ask {
		if err := p.write(ctx, presenceNotice{Ask: true}, nil); err != nil {
			return err
		}
	}
	if all {
		users = p.local.ConnectedUsers()
	}
	for first := true; first && all || len(users) > 0; first = false {
		batch := users[:min(presenceBatch, len(users))]
		users = users[len(batch):]
		if err := p.write(ctx, presenceNotice{Begin: all && first, End: all && len(users) == 0}, batch); err != nil {
			return err
		}
	}
	return nil
}

// presencePatience is how long a node that comes waits for the others to tell who is connected, from what it heard last. One that was killed just now
// never does.
const presencePatience = 2 * time.Second

// Await waits until the other nodes have told who is connected to them: from then on nobody is woken who is. Run has to be under way.
func (p *Presence) Await(ctx context.Context) error {
	missing, err := awaitTold(ctx, p.patience, p.waiting)
	if missing > 0 && err == nil {
		p.log.Warn("presence of other nodes is incomplete; connected devices may be woken", "nodes", missing)
	}
	return err
}

// waiting gives a channel that is closed when some other node tells more, and how many have not told everything.
func (p *Presence) waiting() (heard <-chan struct{}, missing int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard, p.missing()
}

// awaitTold waits until none is missing, as long as something is heard within the patience, and returns how many still are.
func awaitTold(ctx context.Context, patience time.Duration, waiting func() (heard <-chan struct{}, missing int)) (int, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		heard, missing := waiting()
		if missing == 0 {
			return 0, nil
		}
		select {
		case <-heard:
			late.Reset(patience)
		case <-late.C:
			return missing, nil
		case <-ctx.Done():
			return missing, ctx.Err()
		}
	}
}

// missing counts the other nodes that have not told everything.
func (p *Presence) missing() (n int) {
	for _, node := range p.db.Nodes() {
		if o := p.others[node]; node != p.db.Node() && (o == nil || !o.whole) {
			n++
		}
	}
	return n
}
