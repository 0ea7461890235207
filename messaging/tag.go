package messaging

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"edict/platform/names"
)

// TagReader reads the tags of channels.
type TagReader interface {
	// Tags returns a channel's tags in the order of their folded text.
	Tags(channel ChannelID) ([]string, error)
}

// TagWriter writes the tags of channels.
type TagWriter interface {
	AddTags(channel ChannelID, tags []string) error
	// RemoveTags removes the tags given (folded comparison), or all for nil, and returns how many.
	RemoveTags(channel ChannelID, tags []string) (int, error)
}

// checkTag checks a tag to look for; field is where it is in the request.
func (l Limits) checkTag(field, tag string) error {
	if tag == "" {
		return invalid("%s is empty: a tag has 1 to %d characters", field, l.TagLength)
	}
	return checkShortText(field, tag, l.TagLength, false)
}

// checkNewTag checks a tag to add, which must be removable by DELETE …/tags/{tag}.
func (l Limits) checkNewTag(field, tag string) error {
	if err := l.checkTag(field, tag); err != nil {
		return err
	}
	if err := names.CheckSegment("a tag", tag); err != nil {
		return invalid("%s: %s", field, err)
	}
	return checkLabel(field, tag, l.TagLength)
}

// foldTags returns the distinct folded tags, sorted.
func foldTags(tags []string) []string {
	folded := make([]string, len(tags))
	for i, t := range tags {
		folded[i] = FoldText(t)
	}
	slices.Sort(folded)
	return slices.Compact(folded)
}

// AddTags adds tags to a channel, all or none. A tag that is there already, in whatever case, stays
// as it is.
func (s *Service) AddTags(ctx context.Context, caller Caller, ref Ref, tags []string) error {
	for i, t := range tags {
		if err := s.limits.checkNewTag(fmt.Sprintf("tags[%d]", i), t); err != nil {
			return err
		}
	}
	return s.update(ctx, caller, ref, MayTag, func(w Writer, a Access) error {
		have, err := w.Tags(a.Channel.ID)
		if err := cmp.Or(err, s.mayGrow()); err != nil {
			return err
		}
		fresh := newTags(have, tags)
		if len(fresh) == 0 {
			return nil
		}
		if n := len(have) + len(fresh); n > s.limits.Tags {
			return invalid("channel %s would have %d tags; at most %d are allowed", a.As, n, s.limits.Tags)
		}
		if err := w.AddTags(a.Channel.ID, fresh); err != nil {
			return err
		}
		return w.TouchChannel(a.Channel.ID, w.Next().Time())
	})
}

// newTags returns those of tags that are not in have, each once.
func newTags(have, tags []string) (fresh []string) {
	seen := make(map[string]bool, len(have)+len(tags))
	for _, t := range have {
		seen[FoldText(t)] = true
	}
	for _, t := range tags {
		if key := FoldText(t); !seen[key] {
			seen[key] = true
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// Tags lists the tags of a channel.
func (s *Service) Tags(ctx context.Context, caller Caller, ref Ref) (c Channel, tags []string, err error) {
	err = s.view(ctx, caller, ref, MayReadRecord, func(r Reader, a Access) (err error) {
		c = *a.Channel
		tags, err = r.Tags(c.ID)
		return err
	})
	return c, tags, err
}

// RemoveTag removes one tag; a tag that is not there is no error.
func (s *Service) RemoveTag(ctx context.Context, caller Caller, ref Ref, tag string) error {
	if err := s.limits.checkTag("the tag", tag); err != nil {
		return err
	}
	return s.removeTags(ctx, caller, ref, []string{tag})
}

// RemoveAllTags removes all tags of a channel.
func (s *Service) RemoveAllTags(ctx context.Context, caller Caller, ref Ref) error {
	return s.removeTags(ctx, caller, ref, nil)
}

func (s *Service) removeTags(ctx context.Context, caller Caller, ref Ref, tags []string) error {
	return s.update(ctx, caller, ref, MayTag, func(w Writer, a Access) error {
		n, err := w.RemoveTags(a.Channel.ID, tags)
		if err != nil || n == 0 {
			return err
		}
		return w.TouchChannel(a.Channel.ID, w.Next().Time())
	})
}
