package messaging

import (
	"strings"
	"testing"
	"unicode/utf8"

	"edict/platform/names"
)

func TestParseRef(t *testing.T) {
	for _, test := range []struct {
		segment  string
		personal Personal
		want     Ref
		code     Code
	}{
		{"news", PersonalAbsent, Ref{Name: "news"}, 0},
		{"News.2-x_", PersonalTrue, Ref{Name: "News.2-x_", Personal: PersonalTrue}, 0},
		{"ann#news", PersonalAbsent, Ref{Owner: "ann", Name: "news"}, 0},
		{"ann#news", PersonalFalse, Ref{}, 31},
		{"ann#news", PersonalTrue, Ref{}, 31},
		{strings.Repeat("n", 50), PersonalAbsent, Ref{Name: strings.Repeat("n", 50)}, 0},
		{strings.Repeat("n", 51), PersonalAbsent, Ref{}, 31},
		{strings.Repeat("u", 64) + "#n", PersonalAbsent, Ref{Owner: UserID(strings.Repeat("u", 64)), Name: "n"}, 0},
		{strings.Repeat("u", 65) + "#n", PersonalAbsent, Ref{}, 31},
		{"", PersonalAbsent, Ref{}, 31},
		{".", PersonalAbsent, Ref{}, 31},
		{"..", PersonalAbsent, Ref{}, 31},
		{"...", PersonalAbsent, Ref{Name: "..."}, 0},
		{"my_subscriptions", PersonalAbsent, Ref{}, 31},
		{"ann#My_Subscriptions", PersonalAbsent, Ref{}, 31},
		{"#news", PersonalAbsent, Ref{}, 31},
		{"ann#", PersonalAbsent, Ref{}, 31},
		{"ann#bob#news", PersonalAbsent, Ref{}, 31},
		{"a/b", PersonalAbsent, Ref{}, 31},
		{"né", PersonalAbsent, Ref{}, 31},
		{"a b", PersonalAbsent, Ref{}, 31},
		{"a\x00", PersonalAbsent, Ref{}, 31},
		{"a%23b", PersonalAbsent, Ref{}, 31},
	} {
		got, err := ParseRef(test.segment, test.personal)
		if err != nil && CodeOf(err) != test.code || err == nil && (test.code != 0 || got != test.want) {
			t.Errorf("%q: got %+v, %v; want %+v, code %d", test.segment, got, err, test.want, test.code)
		}
	}
}

// TestKeysDoNotCollide: no way to write one channel's name reaches another's key.
func TestKeysDoNotCollide(t *testing.T) {
	keys := map[ChannelKey]string{}
	for _, c := range []struct{ owner, name string }{{"", "ann.news"}, {"ann", "news"}, {"ann.news", "x"}, {"ann", "news.x"}, {"", "news"}, {"", "ann"}} {
		key := publicKey(c.name)
		if c.owner != "" {
			key = privateKey(UserID(c.owner), c.name)
		}
		if other, taken := keys[key]; taken {
			t.Errorf("%v and %s have one key", c, other)
		}
		keys[key] = c.owner + "#" + c.name
	}
	if privateKey("ANN", "News") != privateKey("ann", "nEWS") || publicKey("A") != publicKey("a") {
		t.Error("keys regard case")
	}
}

func FuzzParseRef(f *testing.F) {
	for _, s := range []string{"news", "ann#news", "#", "a#b#c", "..", "MY_subscriptions", "\xff", strings.Repeat("x", 200)} {
		f.Add(s, int8(0))
	}
	f.Fuzz(func(t *testing.T, segment string, personal int8) {
		ref, err := ParseRef(segment, Personal(personal))
		if err != nil {
			if CodeOf(err) != CodeIllegalArgument || !utf8.ValidString(err.Error()) && utf8.ValidString(segment) {
				t.Fatalf("%q: %v", segment, err)
			}
			return
		}
		again, err := ParseRef(ref.String(), ref.Personal)
		if err != nil || again != ref || ref.String() != segment {
			t.Fatalf("%q: %+v, again %+v, %v", segment, ref, again, err)
		}
		if key := privateKey(ref.Owner, ref.Name); strings.ContainsAny(key.Owner+key.Name, "#/%") || len(key.Name) > 50 {
			t.Fatalf("%q: key %+v", segment, key)
		}
	})
}

func FuzzFoldText(f *testing.F) {
	f.Add("Straße ΑΘΗΝΑ K")
	f.Fuzz(func(t *testing.T, s string) {
		once := FoldText(s)
		if FoldText(once) != once || utf8.RuneCountInString(once) != utf8.RuneCountInString(s) {
			t.Fatalf("%q folds to %q, then %q", s, once, FoldText(once))
		}
		if utf8.ValidString(s) && !strings.EqualFold(s, once) {
			t.Fatalf("%q folds to %q, which is another word", s, once)
		}
	})
}

func TestReservedWordsAreShort(t *testing.T) {
	if len(reservedName) > maxChannelName || !names.IsID(reservedName) {
		t.Error("the reserved name could not be a channel name anyway")
	}
}
