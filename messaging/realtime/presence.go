package realtime

import (
	"cmp"
	"net/http"
	"slices"

	"edict/messaging"
	"edict/platform/web"
)

// presenceBody is the answer of "presence".
type presenceBody struct {
	ChannelName string        `json:"channelName"`
	Count       int           `json:"count" doc:"users who are connected"`
	Users       []presentUser `json:"users" doc:"by id, at most 1000"`
}

type presentUser struct {
	UserID  string   `json:"userId"`
	Devices []string `json:"devices" doc:"devices of the user that are connected; streams without a device show none"`
	Streams int      `json:"streams" doc:"live streams of the user"`
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
	users := a.opts.Hub.presentIn(channel.ID)
	body := presenceBody{ChannelName: channel.FullName(), Count: len(users), Users: users}
	if len(users) > maxPresent {
		body.Users = users[:maxPresent]
	}
	return web.WriteJSON(w, http.StatusOK, body)
}

// presentIn returns the users with a live stream that carries a channel, by id.
func (h *Hub) presentIn(channel messaging.ChannelID) []presentUser {
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
