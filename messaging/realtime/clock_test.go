package realtime_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"edict/messaging"
	"edict/messaging/realtime"
)

// These tests have a clock of their own, which moves only when everything waits: what takes no time is exact, and an hour
// takes none.

// inTime runs a test on a service with a clock of its own.
func inTime(t *testing.T, s settings, test func(t *testing.T, f *fixture)) {
	synctest.Test(t, func(t *testing.T) {
		s.pipes = true
		f := setUp(t, s)
		test(t, f)
		f.ok(f.stop())
	})
}

// TestRevocationTakesNoTime takes access away in every way there is: the stream ends, or changes, within a second, in fact
// before the clock moves.
func TestRevocationTakesNoTime(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		do   func(f *fixture) error
		want string // code of the end, or change of the channel
	}{
		"token revoked":   {func(f *fixture) error { f.revoke("bob"); return nil }, "4001"},
		"user removed":    {func(f *fixture) error { return f.RemoveUser(ctx, "bob") }, "4003"},
		"device removed":  {func(f *fixture) error { return f.RemoveDevice(ctx, bob, "phone") }, "4003"},
		"unsubscribed":    {func(f *fixture) error { _, err := f.Unsubscribe(ctx, bob, ref("ann#club")); return err }, "unsubscribed"},
		"invitation gone": {func(f *fixture) error { return f.WithdrawInvite(ctx, ann, ref("ann#club"), "bob") }, "uninvited"},
		"removed":         {func(f *fixture) error { _, err := f.RemoveMember(ctx, ann, ref("ann#club"), "bob"); return err }, "removed"},
		"banned":          {func(f *fixture) error { return f.Ban(ctx, ann, ref("ann#club"), "bob") }, "banned"},
		"channel deleted": {func(f *fixture) error { return f.DeleteChannel(ctx, ann, ref("ann#club")) }, "deleted"},
		"owner removed":   {func(f *fixture) error { return f.RemoveUser(ctx, "ann") }, "deleted"},
	} {
		for transport := range transports {
			t.Run(name+"/"+transport, func(t *testing.T) {
				inTime(t, settings{}, func(t *testing.T, f *fixture) {
					f.create(ann, "club", func(n *messaging.NewChannel) { n.Private, n.InviteOnly = true, true })
					_, err := f.Invite(ctx, ann, ref("ann#club"), []messaging.UserID{"bob"})
					f.ok(err)
					f.subscribe(bob, "ann#club")
					token := "bob"
					if name == "device removed" {
						token = "bob@phone"
					}
					s := f.begin(transport, token)
					s.want("ready")
					time.Sleep(time.Hour) // the stream is an old one
					before := time.Now()
					f.ok(c.do(f))
					got := s.next()
					if took := time.Since(before); took >= time.Second {
						t.Errorf("it took %v", took)
					}
					if !strings.Contains(got.end+got.field("change"), c.want) {
						t.Errorf("got %s %s %s, want %s", got.Event, got.Data, got.end, c.want)
					}
				})
			})
		}
	}
}

// TestMissed: a node that has lost touch with the others ends its streams, since they may lack something, and has new ones at once.
func TestMissed(t *testing.T) {
	for transport := range transports {
		t.Run(transport, func(t *testing.T) {
			inTime(t, settings{}, func(t *testing.T, f *fixture) {
				s := f.begin(transport, "bob")
				s.want("ready")
				f.hub.Announce([]messaging.Event{{Missed: true}})
				if got := s.next(); !strings.Contains(got.end, "1012") {
					t.Errorf("got %s %s %s, want the end", got.Event, got.Data, got.end)
				}
				f.begin(transport, "bob").want("ready")
			})
		})
	}
}

// TestExpiryIsExact: a stream lives as long as its token, to the instant, whatever transport and however it was opened.
func TestExpiryIsExact(t *testing.T) {
	for transport := range transports {
		for _, ticket := range []bool{false, true} {
			t.Run(fmt.Sprint(transport, ticket), func(t *testing.T) {
				inTime(t, settings{}, func(t *testing.T, f *fixture) {
					const life = 2 * time.Hour
					opened := time.Now()
					f.expires["bob"] = opened.Add(life)
					token, query := "bob", "?cursor="+f.head()
					if ticket {
						token, query = "", query+"&ticket=ticket-bob"
					}
					c := open(f, transport, token, query)
					c.want("ready")
					g, ok := <-c.events
					for ok && g.end == "" {
						g, ok = <-c.events
					}
					if lived := time.Since(opened); lived != life || !strings.Contains(g.end, "4002") {
						t.Errorf("ended after %v with %q", lived, g.end)
					}
				})
			})
		}
	}
}

// TestHeartbeatsAreRegular: no stream is ever without a sign of life for longer than a period, idle or busy now and then.
func TestHeartbeatsAreRegular(t *testing.T) {
	const period, hours = 25 * time.Second, 3 * time.Hour
	for _, busy := range []bool{false, true} {
		t.Run(fmt.Sprint("busy ", busy), func(t *testing.T) {
			inTime(t, settings{hub: realtime.Options{Heartbeat: period}}, func(t *testing.T, f *fixture) {
				f.create(ann, "news", nil)
				ctx, cancel := context.WithTimeout(t.Context(), hours)
				defer cancel()
				transport := &http.Transport{DialContext: f.dial}
				defer transport.CloseIdleConnections()
				resp, err := transport.RoundTrip(request(f, "GET", f.url+eventsPath, "ann").WithContext(ctx))
				f.ok(err)
				defer resp.Body.Close()
				for n := 0; busy && n < 200; n++ {
					time.AfterFunc(time.Duration(n*n)*997*time.Millisecond/4, func() { f.publish(ann, "news", `{"n":1}`) })
				}
				in := bufio.NewReader(resp.Body)
				beats, last := 0, time.Now()
				for {
					line, err := in.ReadString('\n')
					if err != nil {
						break // the hours are over
					}
					if pause := time.Since(last); pause > period {
						t.Fatalf("nothing came for %v", pause)
					}
					last = time.Now()
					if line == ":\n" {
						beats++
					}
				}
				if want := int(hours / period); beats < want-1 || beats > want {
					t.Errorf("%d heartbeats in three hours", beats)
				}
			})
		})
	}
}

// TestSilentSocketIsCut: a WebSocket that answers no ping is cut, and one that does lives on.
func TestSilentSocketIsCut(t *testing.T) {
	const period = 25 * time.Second
	inTime(t, settings{hub: realtime.Options{Heartbeat: period}}, func(t *testing.T, f *fixture) {
		dialer := websocket.Dialer{NetDialContext: f.dial}
		socket := func(answers bool) *websocket.Conn {
			conn, _, err := dialer.Dial("ws://pipes"+eventsPath+"?cursor="+f.head(), http.Header{"Authorization": {"Bearer bob"}})
			f.ok(err)
			if !answers {
				conn.SetPingHandler(func(string) error { return nil })
			}
			return conn
		}
		opened := time.Now()
		silent, answering := socket(false), socket(true)
		defer answering.Close()
		alive := make(chan error, 1)
		go func() {
			_, _, err := answering.ReadMessage() // ready
			for err == nil {
				_, _, err = answering.ReadMessage()
			}
			alive <- err
		}()
		var err error
		for err == nil {
			_, _, err = silent.ReadMessage()
		}
		lived := time.Since(opened)
		if !websocket.IsCloseError(err, 4009) || lived < 5*period/2 || lived > 4*period {
			t.Errorf("the silent one ended after %v: %v", lived, err)
		}
		silent.Close()
		time.Sleep(time.Hour)
		select {
		case err := <-alive:
			t.Errorf("the one that answers ended: %v", err)
		default:
		}
		answering.Close()
		<-alive
	})
}

// TestStuckReaderIsCut: a client that takes nothing for two periods is cut, although there was not enough to fill the queue.
func TestStuckReaderIsCut(t *testing.T) {
	const period = 25 * time.Second
	both(t, func(t *testing.T, transport string) {
		inTime(t, settings{hub: realtime.Options{Heartbeat: period}}, func(t *testing.T, f *fixture) {
			f.create(ann, "news", nil)
			c := open(f, transport, "ann", "?cursor="+f.head())
			c.want("ready")
			before := time.Now()
			f.publish(ann, "news", `{"n":1}`)
			f.publish(ann, "news", `{"n":2}`) // nobody takes these; a pipe holds nothing
			synctest.Wait()
			for f.hub.Connected("ann", "") {
				time.Sleep(time.Second)
			}
			if took := time.Since(before); took > 4*period {
				t.Errorf("it took %v", took)
			}
		})
	})
}

// TestSlowReaderIsTold: a client that lets its queue fill up and reads on within a second gets what was being written, and the code.
func TestSlowReaderIsTold(t *testing.T) {
	both(t, func(t *testing.T, transport string) {
		inTime(t, settings{hub: realtime.Options{Queue: 64 << 10}}, func(t *testing.T, f *fixture) {
			f.create(ann, "news", nil)
			c := open(f, transport, "ann", "?cursor="+f.head())
			c.want("ready")
			for n := range 12 {
				f.publish(ann, "news", fmt.Sprintf(`{"n":%d,"text":"%s"}`, n, strings.Repeat("x", 20_000)))
				synctest.Wait() // a pipe holds nothing: the first ones are being written, the others wait
			}
			time.Sleep(time.Second / 2)
			g := c.next()
			for g.Event == "item" {
				g = c.next()
			}
			if !strings.Contains(g.end, "4008") {
				t.Errorf("it ended with %s %q", g.Event, g.end)
			}
		})
	})
}

// TestResumeFrameHasTime: a WebSocket that says nothing begins by itself, when its second is over.
func TestResumeFrameHasTime(t *testing.T) {
	inTime(t, settings{}, func(t *testing.T, f *fixture) {
		opened := time.Now()
		c := open(f, "WebSocket", "bob", "")
		c.want("ready")
		if took := time.Since(opened); took != time.Second {
			t.Errorf("ready after %v", took)
		}
	})
}
