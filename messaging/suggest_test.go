package messaging_test

import (
	"strings"
	"testing"

	"edict/messaging"
)

// TestMisspeltChannels: the error of a name that is not there names the one that was probably meant, and never one that the
// caller could not find by searching.
func TestMisspeltChannels(t *testing.T) {
	f := setUp(t, messaging.Limits{})
	private := func(n *messaging.NewChannel) { n.Private = true }
	f.create(ann, "chat", nil)
	f.create(ann, "Weather.paris", nil)
	f.create(ann, "diary", private)
	f.create(bob, "garden", private)
	for _, test := range []struct {
		caller messaging.Caller
		ref    messaging.Ref
		want   string // "" for none
	}{
		{bob, bare("chta"), "Did you mean chat?"},
		{bob, bare("hcat"), "Did you mean chat?"},
		{bob, bare("cchat"), "Did you mean chat?"},
		{bob, bare("cha"), "Did you mean chat?"},
		{bob, bare("weather.pris"), "Did you mean Weather.paris?"},
		{bob, bare("eWather.paris"), "Did you mean Weather.paris?"},
		{bob, ref("chta", messaging.PersonalFalse), "Did you mean chat?"},
		{bob, ref("chta", messaging.PersonalTrue), ""},
		{bob, bare("diray"), ""},
		{bob, bare("ann#diray"), ""},
		{ann, bare("diray"), "Did you mean diary?"},
		{ann, bare("ann#diray"), "Did you mean diary?"},
		{ann, ref("diray", messaging.PersonalTrue), "Did you mean diary?"},
		{ann, ref("diray", messaging.PersonalFalse), ""},
		{bob, bare("something"), ""},
	} {
		_, read := f.ReadChannel(t.Context(), test.caller, test.ref)
		_, publish := f.Publish(t.Context(), test.caller, test.ref, messaging.NewItem{Content: []byte(`{"n":1}`)})
		for act, err := range map[string]error{"read": read, "publish": publish} {
			if messaging.CodeOf(err) != messaging.CodeNoChannel || strings.Contains(err.Error(), "Did you mean") != (test.want != "") || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%s %s %s: %v, want %q", test.caller.UserID, act, test.ref, err, test.want)
			}
		}
	}
}
