package sqlstore_test

import (
	"testing"

	"edict/messaging"
	"edict/platform/db/faultfs"
	"edict/platform/fault"
)

// TestFailedCommit: an act whose COMMIT failed has not happened, for the writer either, which has a memory of its own of
// channels, members and persons. What happened is seen by publishing, which believes that memory.
func TestFailedCommit(t *testing.T) {
	bob := messaging.Caller{UserID: "bob"}
	for name, test := range map[string]struct {
		act     func(s *service) error
		caller  messaging.Caller
		channel string
		want    fault.Kind // of the publish afterwards; 0: it is published
	}{
		"a channel is made": {
			func(s *service) error {
				_, err := s.CreateChannel(s.Context(), ann, messaging.DefaultNewChannel("new"))
				return err
			}, ann, "new", fault.NotFound,
		},
		"a channel is deleted": {
			func(s *service) error { return s.DeleteChannel(s.Context(), ann, ref("there")) },
			ann, "there", 0,
		},
		"somebody subscribes": {
			func(s *service) error {
				_, err := s.Subscribe(s.Context(), bob, ref("members"), messaging.NewSubscription{})
				return err
			}, bob, "members", fault.Forbidden,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each waits for the writer's probe of the disk
			dir := t.TempDir()
			files, err := faultfs.Watch(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(files.Close)
			s := serve(t, dir)
			s.create("there", messaging.Unlimited)
			members := messaging.DefaultNewChannel("members")
			members.Permission = messaging.PublishSubscribers
			if _, err := s.CreateChannel(t.Context(), ann, members); err != nil {
				t.Fatal(err)
			}

			files.FailSync(true)
			if err := test.act(s); fault.KindOf(err) != fault.Unavailable {
				t.Fatalf("while no sync succeeds the act gives %v", err)
			}
			files.FailSync(false)
			s.pragma("PRAGMA page_count") // waits until the writer takes writes

			_, err = s.Publish(t.Context(), test.caller, ref(test.channel), messaging.NewItem{Content: []byte(`{"n":1}`)})
			if (err == nil) != (test.want == 0) || err != nil && fault.KindOf(err) != test.want {
				t.Errorf("publishing afterwards gives %v", err)
			}
		})
	}
}
