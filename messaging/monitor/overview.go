package monitor

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Overview is the answer: what a node does now and did over the last hour.
type Overview struct {
	At        string  `json:"at"`
	StartedAt string  `json:"startedAt" doc:"counts begin here"`
	Streams   Streams `json:"streams"`
	Rates     Rates   `json:"rates"`
	Store     Store   `json:"store"`
	Queue     Queue   `json:"queue"`
	Push      Push    `json:"push"`
	History   History `json:"history"`
}

// Streams are the live streams.
type Streams struct {
	Open              int            `json:"open"`
	SSE               int            `json:"sse"`
	WebSocket         int            `json:"webSocket"`
	QueuedBytes       int            `json:"queuedBytes" doc:"bytes queued for all streams"`
	LongestQueueBytes int            `json:"longestQueueBytes" doc:"bytes queued for the slowest stream"`
	CommitsWaiting    int            `json:"commitsWaiting" doc:"commits that streams have not received yet"`
	Ended             map[string]int `json:"ended" doc:"streams that ended, by reason"`
	Refused           map[string]int `json:"refused" doc:"rejected streams: the user, the address or the server was at its limit"`
}

// Rates are per second.
type Rates struct {
	Seconds      float64 `json:"seconds" doc:"averaging window in seconds, up to 60"`
	Published    float64 `json:"published" doc:"items"`
	Sent         float64 `json:"sent" doc:"direct messages"`
	Delivered    float64 `json:"delivered" doc:"events sent to streams, live or replayed"`
	Acknowledged float64 `json:"acknowledged" doc:"copies that reached DELIVERED or RECEIVED"`
	Requests     float64 `json:"requests" doc:"requests to messaging and sign-in"`
	Failed       float64 `json:"failed" doc:"responses with status 500 or above"`
	Throttled    float64 `json:"throttled" doc:"responses with status 429"`
	Commits      float64 `json:"commits"`
	Pushes       float64 `json:"pushes" doc:"wake-up attempts"`
}

// Store is how the store is.
type Store struct {
	Healthy       bool    `json:"healthy"`
	Problem       *string `json:"problem" doc:"reason why writes fail"`
	Bytes         int64   `json:"bytes" doc:"on disk"`
	ReusableBytes int64   `json:"reusableBytes" doc:"part of bytes that holds no data; large amounts return to the disk"`
	FreeBytes     *int64  `json:"freeBytes" doc:"free space of the disk; null on PostgreSQL"`
	ReserveBytes  int64   `json:"reserveBytes" doc:"free space below which new data gets 507 (--disk-reserve)"`

	LargestChannels []LargeChannel `json:"largestChannels" doc:"channels with the most content, up to ten; recent items may not be counted"`
	WritesWaiting   int            `json:"writesWaiting"`
	WritesPerCommit float64        `json:"writesPerCommit" doc:"over the last minute"`
	CommitMillis    float64        `json:"commitMillis" doc:"mean duration of a commit with fsync over the last minute"`
	Failures        int            `json:"failures" doc:"failed commits"`
}

// LargeChannel is a channel and what it keeps.
type LargeChannel struct {
	ChannelName string `json:"channelName"`
	Bytes       int64  `json:"bytes" doc:"content of the kept items"`
}

// Queue is what waits to be delivered.
type Queue struct {
	Devices    int            `json:"devices" doc:"devices in the wake-up queue"`
	LagSeconds float64        `json:"lagSeconds" doc:"seconds that the first has been due"`
	Services   []QueueService `json:"services"`
	States     map[string]int `json:"states" doc:"copies of direct messages by state reached"`
}

// QueueService is the queue of one push service.
type QueueService struct {
	Service    string  `json:"service"`
	Devices    int     `json:"devices"`
	LagSeconds float64 `json:"lagSeconds"`
}

// Push is what push services answered.
type Push struct {
	Services []PushService `json:"services"`
}

// PushService is what one push service answered.
type PushService struct {
	Service  string         `json:"service"`
	Outcomes map[string]int `json:"outcomes" doc:"wake-ups by outcome"`
	Millis   float64        `json:"millis" doc:"mean response time over the last minute"`
}

// per returns how much a figure grew per second from one reading to another.
func per(then, now reading, figure func(reading) float64) float64 {
	seconds := now.at.Sub(then.at).Seconds()
	if seconds <= 0 {
		return 0
	}
	return max(0, figure(now)-figure(then)) / seconds
}

// mean returns the mean of what a histogram was told from one reading to another.
func mean(then, now reading, family string, fitting ...match) float64 {
	told := now.count(family, fitting...) - then.count(family, fitting...)
	if told <= 0 {
		return 0
	}
	return (now.sum(family, fitting...) - then.sum(family, fitting...)) / told
}

func total(family string, fitting ...match) func(reading) float64 {
	return func(r reading) float64 { return r.sum(family, fitting...) }
}

// Figures that are shown per second, and over the hour.
var (
	published    = total("edict_items_published_total")
	sent         = total("edict_messages_sent_total")
	acknowledged = total("edict_deliveries_total", is("state", "DELIVERED", "RECEIVED"))
	pushes       = total("edict_pushes_total")
	ours         = match{"route", func(route string) bool { _, path, _ := strings.Cut(route, " "); return isOurs(path) }}
	requests     = total("edict_http_requests_total", ours)
	failed       = total("edict_http_requests_total", ours, begins("code", "5"))
	throttled    = total("edict_http_requests_total", ours, is("code", "429"))
	open         = total("edict_streams")
	devices      = total("edict_wakeup_queue")
)

// isOurs reports whether a path is one of messaging or of its sign-in.
func isOurs(path string) bool {
	return strings.HasPrefix(path, "/message/") || strings.HasPrefix(path, "/auth/")
}

func delivered(r reading) float64 {
	return r.sum("edict_stream_deliveries_total") + r.sum("edict_stream_replayed_total")
}

func commits(r reading) float64 { return r.count("edict_store_commit_seconds") }

func streamsOf(now reading) Streams {
	by := counts(now.by("transport", "edict_streams"))
	return Streams{
		Open: int(open(now)), SSE: by["sse"], WebSocket: by["websocket"],
		QueuedBytes: int(now.sum("edict_stream_queue_bytes")), LongestQueueBytes: int(now.sum("edict_stream_queue_longest_bytes")),
		CommitsWaiting: int(now.sum("edict_stream_commits_waiting")),
		Ended:          counts(now.by("reason", "edict_stream_ends_total")), Refused: counts(now.by("of", "edict_streams_refused_total")),
	}
}

func ratesOf(then, now reading) Rates {
	return Rates{
		Seconds: now.at.Sub(then.at).Seconds(), Published: per(then, now, published), Sent: per(then, now, sent), Delivered: per(then, now, delivered),
		Acknowledged: per(then, now, acknowledged), Requests: per(then, now, requests), Failed: per(then, now, failed),
		Throttled: per(then, now, throttled), Commits: per(then, now, commits), Pushes: per(then, now, pushes),
	}
}

func storeOf(then, now reading, disk Disk) Store {
	s := Store{
		Healthy: disk.Problem == nil, Bytes: disk.Bytes, WritesWaiting: int(now.sum("edict_store_writes_waiting")),
		WritesPerCommit: mean(then, now, "edict_store_group_writes"), CommitMillis: 1000 * mean(then, now, "edict_store_commit_seconds"),
		Failures:      int(now.sum("edict_store_failures_total")),
		ReusableBytes: disk.Reusable, ReserveBytes: disk.Reserve, LargestChannels: []LargeChannel{},
	}
	if disk.Free >= 0 {
		s.FreeBytes = new(disk.Free)
	}
	for _, c := range disk.Largest {
		s.LargestChannels = append(s.LargestChannels, LargeChannel{c.Name, c.Bytes})
	}
	if disk.Problem != nil {
		s.Problem = new(disk.Problem.Error())
	}
	return s
}

func queueOf(now reading) Queue {
	q := Queue{Devices: int(devices(now)), Services: []QueueService{}, States: counts(now.by("state", "edict_deliveries_total"))}
	waiting, lag := now.by("service", "edict_wakeup_queue"), now.by("service", "edict_wakeup_lag_seconds")
	for _, service := range slices.Sorted(maps.Keys(waiting)) {
		q.Services = append(q.Services, QueueService{Service: service, Devices: int(waiting[service]), LagSeconds: lag[service]})
		q.LagSeconds = max(q.LagSeconds, lag[service])
	}
	return q
}

func pushOf(then, now reading) Push {
	p := Push{Services: []PushService{}}
	for _, service := range slices.Sorted(maps.Keys(now.by("service", "edict_pushes_total"))) {
		p.Services = append(p.Services, PushService{
			Service: service, Outcomes: counts(now.by("outcome", "edict_pushes_total", is("service", service))),
			Millis: 1000 * mean(then, now, "edict_push_seconds", is("service", service)),
		})
	}
	return p
}

func counts(values map[string]float64) map[string]int {
	whole := make(map[string]int, len(values))
	for name, v := range values {
		whole[name] = int(v)
	}
	return whole
}

// timeLayout is how the service writes times.
const timeLayout = "2006-01-02T15:04:05.000-07:00"

func format(t time.Time) string { return t.UTC().Format(timeLayout) }
