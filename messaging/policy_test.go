package messaging

import (
	"fmt"
	"strings"
	"testing"
)

// policyTable is "who may", written out: for every kind of channel, who gets what from each policy. A
// number is the application code of the refusal, "." is a permission.
//
// Columns: record, subscribe, items, publish, tag, own (delete, delete items, invite, change, remove, ban).
const policyTable = `
public anyone        stranger    .  .  .  .  .  71
public anyone        invited     .  .  .  .  .  71
public anyone        subscriber  .  .  .  .  .  71
public anyone        owner       .  .  .  .  .  .
public anyone        admin       .  .  .  .  .  .
public anyone        banned      .  65 65 52 72 71
public owner         stranger    .  .  .  52 72 71
public owner         invited     .  .  .  52 72 71
public owner         subscriber  .  .  .  52 72 71
public owner         owner       .  .  .  .  .  .
public owner         admin       .  .  .  .  .  .
public owner         banned      .  65 65 52 72 71
public subscribers   stranger    .  .  .  52 72 71
public subscribers   invited     .  .  .  52 72 71
public subscribers   subscriber  .  .  .  .  .  71
public subscribers   owner       .  .  .  .  .  .
public subscribers   admin       .  .  .  .  .  .
public subscribers   banned      .  65 65 52 72 71
private anyone       stranger    .  .  65 52 72 71
private anyone       invited     .  .  65 52 72 71
private anyone       subscriber  .  .  .  .  72 71
private anyone       owner       .  .  .  .  .  .
private anyone       admin       .  .  .  .  .  .
private anyone       banned      64 64 64 64 64 64
private owner        stranger    .  .  65 52 72 71
private owner        invited     .  .  65 52 72 71
private owner        subscriber  .  .  .  52 72 71
private owner        owner       .  .  .  .  .  .
private owner        admin       .  .  .  .  .  .
private owner        banned      64 64 64 64 64 64
private subscribers  stranger    .  .  65 52 72 71
private subscribers  invited     .  .  65 52 72 71
private subscribers  subscriber  .  .  .  .  72 71
private subscribers  owner       .  .  .  .  .  .
private subscribers  admin       .  .  .  .  .  .
private subscribers  banned      64 64 64 64 64 64
invite anyone        stranger    64 64 64 64 64 64
invite anyone        invited     .  .  65 52 72 71
invite anyone        subscriber  .  .  .  .  72 71
invite anyone        owner       .  .  .  .  .  .
invite anyone        admin       .  .  .  .  .  .
invite anyone        banned      64 64 64 64 64 64
invite owner         stranger    64 64 64 64 64 64
invite owner         invited     .  .  65 52 72 71
invite owner         subscriber  .  .  .  52 72 71
invite owner         owner       .  .  .  .  .  .
invite owner         admin       .  .  .  .  .  .
invite owner         banned      64 64 64 64 64 64
invite subscribers   stranger    64 64 64 64 64 64
invite subscribers   invited     .  .  65 52 72 71
invite subscribers   subscriber  .  .  .  .  72 71
invite subscribers   owner       .  .  .  .  .  .
invite subscribers   admin       .  .  .  .  .  .
invite subscribers   banned      64 64 64 64 64 64
`

func TestPolicies(t *testing.T) {
	columns := [][]func(Access) error{
		{MayReadRecord, MayUnsubscribe}, {MaySubscribe}, {MayReadItems}, {MayPublish}, {MayTag}, {MayDeleteChannel, MayDeleteItems, MayInvite, MayChangeChannel, MayRemoveMember, MayBan},
	}
	rows := strings.Split(strings.TrimSpace(policyTable), "\n")
	if len(rows) != 3*3*6 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		f := strings.Fields(row)
		permission, err := ParsePermission(f[1])
		if err != nil {
			t.Fatal(err)
		}
		c := &Channel{Name: "c", Owner: "owner", Permission: permission, Private: f[0] != "public", InviteOnly: f[0] == "invite", SubscriptionEnabled: true}
		a := Access{Caller: Caller{UserID: UserID(f[2]), Admin: f[2] == "admin"}, Channel: c, As: "c"}
		a.Relation = Relation{Subscribed: f[2] == "subscriber", Invited: f[2] == "invited", Banned: f[2] == "banned"}
		for i, policies := range columns {
			for _, policy := range policies {
				if got := outcome(policy(a)); got != f[3+i] {
					t.Errorf("%s: column %d: got %s, want %s", row, i+1, got, f[3+i])
				}
			}
		}
	}
}

func outcome(err error) string {
	if err == nil {
		return "."
	}
	return fmt.Sprint(int(CodeOf(err)))
}

func TestSubscriptionDisabled(t *testing.T) {
	c := &Channel{Name: "c", Owner: "owner"}
	for _, user := range []UserID{"stranger", "owner"} {
		if got := outcome(MaySubscribe(Access{Caller: Caller{UserID: user}, Channel: c})); got != "65" {
			t.Errorf("%s: got %s", user, got)
		}
	}
}

// TestHiddenIsAbsent: the refusal of a hidden channel is, to the letter, that of one that never was.
func TestHiddenIsAbsent(t *testing.T) {
	hidden := Access{Caller: Caller{UserID: "eve"}, Channel: &Channel{Owner: "ann", Private: true, InviteOnly: true}, As: "ann#secret"}
	banned := hidden
	banned.Channel = &Channel{Owner: "ann", Private: true}
	banned.Relation.Banned = true
	for _, policy := range []func(Access) error{
		MayReadRecord, MaySubscribe, MayUnsubscribe, MayReadItems, MayPublish, MayTag, MayDeleteChannel, MayDeleteItems, MayInvite, MayChangeChannel, MayRemoveMember, MayBan,
	} {
		for _, a := range []Access{hidden, banned} {
			if got, want := policy(a).Error(), noChannel(Ref{Owner: "ann", Name: "secret"}).Error(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

// TestBannedOwner: a ban does not reach whoever owns the channel by now, nor admins.
func TestBannedOwner(t *testing.T) {
	for _, caller := range []Caller{{UserID: "owner"}, {UserID: "root", Admin: true}} {
		for _, private := range []bool{false, true} {
			a := Access{Caller: caller, Channel: &Channel{Owner: "owner", Private: private}, Relation: Relation{Banned: true}}
			for _, policy := range []func(Access) error{MayReadRecord, MayReadItems, MayPublish, MayTag, MayBan} {
				if err := policy(a); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestOwnerless: a public channel whose owner is gone belongs to admins, not to a user without a name.
func TestOwnerless(t *testing.T) {
	c := &Channel{Name: "c"}
	for _, caller := range []Caller{{}, {UserID: DeletedUser}, {UserID: "ann"}} {
		if got := outcome(MayDeleteChannel(Access{Caller: caller, Channel: c})); got != "71" {
			t.Errorf("%+v: got %s", caller, got)
		}
	}
	if err := MayDeleteChannel(Access{Caller: Caller{UserID: "root", Admin: true}, Channel: c}); err != nil {
		t.Error(err)
	}
}

// TestCorrectionIsTheAuthors: neither the channel's owner nor an admin corrects what others wrote, and nobody what somebody wrote who is gone.
func TestCorrectionIsTheAuthors(t *testing.T) {
	for _, test := range []struct {
		caller Caller
		author UserID
		want   string
	}{{Caller{UserID: "ann"}, "ann", "."}, {Caller{UserID: "bob"}, "ann", "69"}, {Caller{UserID: "root", Admin: true}, "ann", "69"}, {Caller{}, "", "69"}} {
		if got := outcome(MayCorrect(test.caller, &Item{Publisher: test.author})); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

func TestStatusIsTheSenders(t *testing.T) {
	for _, test := range []struct {
		caller, sender UserID
		want           string
	}{{"ann", "ann", "."}, {"bob", "ann", "69"}, {"", "", "69"}} {
		if got := outcome(MayReadStatus(Caller{UserID: test.caller}, &Message{Sender: test.sender})); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}
