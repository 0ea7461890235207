package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"edict/bench/torture/history"
)

// People who come, publish, send and are erased with all they made.
const (
	lounge     = "/channels/lounge" // where they publish
	personHas  = 3                  // items
	goneWithin = 30 * time.Second   // after an erasure without answer, for the server that starts next to end it
)

// What a person is found to be.
const (
	personNot   = -1 // not there, and never was
	personHalf  = 0  // erased in part, or left without what was published
	personThere = 1
	personGone  = 2
)

// person is one of them.
type person struct {
	name   string
	token  string
	secret string   // name of the token in the history
	items  []string // ids
}

// undertaker creates people and erases them until it is told to stop.
func (l *life) undertaker(ctx context.Context, random *rand.Rand) error {
	for n := 0; l.pause(ctx, random, 800*time.Millisecond); n++ {
		p := &person{name: fmt.Sprint("guest-", n)}
		for _, step := range []func(context.Context, *person) error{l.arrive, l.settle, l.erase, l.revisit} {
			if err := step(ctx, p); err != nil {
				return unlessGone(ctx, err)
			}
		}
	}
	return nil
}

func (p *person) path() string { return "/auth/users/" + p.name }

// become asks for a change of a person until it is there.
func (l *life) become(ctx context.Context, p *person, value int, ask func() error) error {
	for {
		change := &history.Change{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, What: "person " + p.name, Value: value}
		l.rec.Add(change)
		err := ask()
		if change.Outcome = outcomeOf(err); change.Outcome == history.Acknowledged {
			change.End = l.rec.Now()
		}
		if change.Outcome == history.Refused {
			return err
		}
		if err := l.decided(ctx, change.Outcome); err != nil {
			return err
		}
		found, err := l.lookAtPerson(ctx, p, change.Outcome == history.Acknowledged)
		if err != nil || found == value || ctx.Err() != nil {
			return err
		}
		if change.Outcome == history.Acknowledged || found == personHalf {
			return nil // the history shows it
		}
	}
}

func (l *life) arrive(ctx context.Context, p *person) error {
	c := l.caller(boss, "")
	body := fmt.Sprintf(`{"username":"%s","userId":"%[1]s","password":"%s"}`, p.name, password(0))
	return l.become(ctx, p, personThere, func() error { return c.call(ctx, "POST", "/auth/users", "", body, nil) })
}

// settle gets the person a token and has it publish and send.
func (l *life) settle(ctx context.Context, p *person) error {
	var got issued
	err := l.insist(ctx, func() error {
		form, err := l.mintForm(ctx, l.caller(boss, ""), p.name)
		if err != nil {
			return err
		}
		return l.caller(boss, "").call(ctx, "POST", "/auth/token", "", form, &got)
	})
	if err != nil {
		return err
	}
	p.token, p.secret = got.Access, "the token of "+p.name
	l.rec.Add(&history.Issue{Span: history.Span{Begin: l.rec.Now(), End: l.rec.Now()}, Secret: p.secret})
	c := newCaller(l.gate, p.name, "", p.token)
	for i := range personHas {
		var answer struct{ MessageID string }
		err := l.insist(ctx, func() error {
			return c.call(ctx, "POST", lounge+"/items", fmt.Sprint(p.name, i), fmt.Sprintf(`{"content":{"key":"%s-%d"}}`, p.name, i), &answer)
		})
		if err != nil {
			return err
		}
		p.items = append(p.items, answer.MessageID)
	}
	return l.insist(ctx, func() error {
		return c.call(ctx, "POST", "/messages/send_to_user_ids", p.name, `{"recipientUserIds":["`+account+`"],"content":{"key":"`+p.name+`"}}`, nil)
	})
}

// erase erases the person with its content.
func (l *life) erase(ctx context.Context, p *person) error {
	end := &history.End{Span: history.Span{Begin: l.rec.Now()}, Outcome: history.Unknown, Secrets: []string{p.secret}}
	l.rec.Add(end)
	err := l.become(ctx, p, personGone, func() error {
		err := l.caller(boss, "").call(ctx, "DELETE", p.path()+"?content=true", "", "", nil)
		if err == nil {
			end.End, end.Outcome = l.rec.Now(), history.Acknowledged
		}
		return err
	})
	return err
}

// revisit tries the token of a user who is gone, and remembers the person for the end of the life.
func (l *life) revisit(ctx context.Context, p *person) error {
	l.guests = append(l.guests, p)
	return l.try(ctx, p.secret, func() error {
		return newCaller(l.gate, p.name, "", p.token).call(ctx, "GET", "/auth/userinfo", "", "", nil)
	})
}

// lookAtPerson notes what has become of a person. What is half done without an answer is waited for; with one it is a broken promise.
func (l *life) lookAtPerson(ctx context.Context, p *person, answered bool) (found int, err error) {
	for began := time.Now(); ; {
		look := &history.Look{Span: history.Span{Begin: l.rec.Now()}, What: "person " + p.name}
		err := l.insist(ctx, func() (err error) {
			found, err = l.stateOf(ctx, p)
			return err
		})
		if err != nil {
			return found, err
		}
		if found == personHalf && !answered && time.Since(began) < goneWithin && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond) // no client says when the server has done it
			continue
		}
		look.Value, look.End = max(found, 0), l.rec.Now()
		l.rec.Add(look)
		return found, nil
	}
}

func (l *life) stateOf(ctx context.Context, p *person) (int, error) {
	c := l.caller(boss, "")
	err := c.call(ctx, "GET", p.path(), "", "", nil)
	there := err == nil
	if !there && statusOf(err) != 404 {
		return personHalf, err
	}
	if len(p.items) == 0 {
		if there {
			return personThere, nil
		}
		return personNot, nil
	}
	var page struct {
		Items []struct {
			Content   content
			Publisher struct{ UserID string }
		}
	}
	if err := c.call(ctx, "GET", lounge+"/items?id="+strings.Join(p.items, "&id="), "", "", &page); err != nil {
		return personHalf, err
	}
	kept, emptied := 0, 0
	for _, item := range page.Items {
		switch {
		case strings.HasPrefix(item.Content.Key, p.name+"-") && item.Publisher.UserID == p.name:
			kept++
		case item.Content.Key == "" && item.Publisher.UserID == "deleted":
			emptied++
		}
	}
	switch {
	case there && kept == personHas:
		return personThere, nil
	case !there && emptied == personHas:
		return personGone, nil
	}
	return personHalf, nil
}

// readPeople looks again when all is over.
func (l *life) readPeople(ctx context.Context) (err error) {
	for _, p := range l.guests {
		_, failed := l.lookAtPerson(ctx, p, true)
		err = errors.Join(err, failed)
	}
	return err
}
