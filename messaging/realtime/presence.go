package realtime

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"edict/messaging"
	"edict/platform/web"
)

// presenceBody is the answer of "presence".
type presenceBody struct {
	ChannelName string        `json:"channelName"`
	Count       int           `json:"count" doc:"number of connected users"`
	Users       []presentUser `json:"users" doc:"connected users by id, up to 1000"`
}

type presentUser struct {
	UserID  string   `json:"userId"`
	Devices []string `json:"devices" doc:"connected devices of the user; streams without a device add none"`
	Streams int      `json:"streams" doc:"number of the user's live streams"`
}

// maxPresent bounds the list of those who are there.
const maxPresent = 1000

func (a *API) presence(w http.ResponseWriter, r *http.Request) error {
	ref, err := refOf(r)
	if err != nil {
		return err
	}
	channel, err := a.opts.Service.ReadableChannel(r.Context(), callerOf(r), ref)
	if err != nil {
		return err
	}
	found := a.opts.Hub.presentIn(channel.ID)
	if err := a.addElsewhere(r.Context(), channel.ID, found); err != nil {
		return err
	}
	users := listPresent(found)
	body := presenceBody{ChannelName: channel.FullName(), Count: len(users), Users: users}
	if len(users) > maxPresent {
		body.Users = users[:maxPresent]
	}
	return web.WriteJSON(w, http.StatusOK, body)
}

// presentIn returns the users with a live stream of this node that carries a channel, by folded id.
func (h *Hub) presentIn(channel messaging.ChannelID) map[string]*presentUser {
	found := map[string]*presentUser{}
	for _, sh := range h.shards {
		sh.mu.Lock()
		for s := range sh.channels[channel] {
			if s.tapped == nil {
				found[s.key] = s.addTo(found[s.key])
			}
		}
		for s := range sh.catching {
			if _, ok := s.subs[channel]; ok && s.tapped == nil {
				found[s.key] = s.addTo(found[s.key])
			}
		}
		sh.mu.Unlock()
	}
	return found
}

// amongAtOnce is how many users the store is asked about at once.
const amongAtOnce = 1000

// addElsewhere adds the users with a stream of another node that carries a channel: those who are connected there and have a subscription.
func (a *API) addElsewhere(ctx context.Context, channel messaging.ChannelID, found map[string]*presentUser) error {
	elsewhere := a.opts.Hub.opts.Elsewhere
	if elsewhere == nil {
		return nil
	}
	users := elsewhere.Users()
	if len(users) == 0 {
		return nil
	}
	return a.opts.Store.View(ctx, func(r messaging.Reader) error {
		for batch := range slices.Chunk(users, amongAtOnce) {
			subs, err := r.SubscriptionsAmong(channel, batch)
			if err != nil {
				return err
			}
			for user, devices := range devicesOf(subs) {
				if u := found[user.Fold()].add(user, elsewhere.Streams(user), devices); u != nil {
					found[user.Fold()] = u
				}
			}
		}
		return nil
	})
}

// devicesOf returns what subscriptions are for, by user: devices, and "" for all of them.
func devicesOf(subs []messaging.Subscription) map[messaging.UserID][]string {
	devices := map[messaging.UserID][]string{}
	for _, s := range subs {
		devices[s.User] = append(devices[s.User], s.Device)
	}
	return devices
}

// add adds streams of a user by device, of those that carry what the devices are subscribed to. It returns nil when nothing is there.
func (u *presentUser) add(user messaging.UserID, streams map[string]int, subscribed []string) *presentUser {
	for device, n := range streams {
		if device != "" && !slices.Contains(subscribed, "") && !slices.Contains(subscribed, device) {
			continue
		}
		if u == nil {
			u = &presentUser{UserID: string(user), Devices: []string{}}
		}
		u.Streams += n
		if device != "" && !slices.Contains(u.Devices, device) {
			u.Devices = append(u.Devices, device)
		}
	}
	return u
}

// listPresent lists users by id.
func listPresent(found map[string]*presentUser) []presentUser {
	users := make([]presentUser, 0, len(found))
	for _, u := range found {
		slices.Sort(u.Devices)
		users = append(users, *u)
	}
	slices.SortFunc(users, func(a, b presentUser) int { return cmp.Compare(a.UserID, b.UserID) })
	return users
}

func (s *stream) addTo(u *presentUser) *presentUser {
	if u == nil {
		u = &presentUser{UserID: string(s.caller.UserID), Devices: []string{}}
	}
	u.Streams++
	if d := s.caller.DeviceID; d != "" && !slices.Contains(u.Devices, d) {
		u.Devices = append(u.Devices, d)
	}
	return u
}
