package monitor

// History is the last hour, oldest first: every list has one entry for each of At. Counts are per second since the entry before.
type History struct {
	EverySeconds float64   `json:"everySeconds"`
	At           []int64   `json:"at" doc:"Unix seconds"`
	Streams      []float64 `json:"streams" doc:"open"`
	Published    []float64 `json:"published"`
	Sent         []float64 `json:"sent"`
	Delivered    []float64 `json:"delivered"`
	Requests     []float64 `json:"requests"`
	Failed       []float64 `json:"failed"`
	Throttled    []float64 `json:"throttled"`
	CommitMillis []float64 `json:"commitMillis" doc:"mean"`
	Devices      []float64 `json:"devices" doc:"devices in the wake-up queue"`
	Pushes       []float64 `json:"pushes"`
	MemoryBytes  []float64 `json:"memoryBytes" doc:"resident"`
	CPU          []float64 `json:"cpu" doc:"cores in use"`
}

// column is a list of the history and how its entries are made of two readings.
type column struct {
	list  func(*History) *[]float64
	entry func(then, now reading) float64
}

func rate(figure func(reading) float64) func(then, now reading) float64 {
	return func(then, now reading) float64 { return per(then, now, figure) }
}

func level(figure func(reading) float64) func(then, now reading) float64 {
	return func(_, now reading) float64 { return figure(now) }
}

var columns = []column{
	{func(h *History) *[]float64 { return &h.Streams }, level(open)},
	{func(h *History) *[]float64 { return &h.Published }, rate(published)},
	{func(h *History) *[]float64 { return &h.Sent }, rate(sent)},
	{func(h *History) *[]float64 { return &h.Delivered }, rate(delivered)},
	{func(h *History) *[]float64 { return &h.Requests }, rate(requests)},
	{func(h *History) *[]float64 { return &h.Failed }, rate(failed)},
	{func(h *History) *[]float64 { return &h.Throttled }, rate(throttled)},
	{func(h *History) *[]float64 { return &h.CommitMillis }, func(then, now reading) float64 { return 1000 * mean(then, now, "edict_store_commit_seconds") }},
	{func(h *History) *[]float64 { return &h.Devices }, level(devices)},
	{func(h *History) *[]float64 { return &h.Pushes }, rate(pushes)},
	{func(h *History) *[]float64 { return &h.MemoryBytes }, level(total("process_resident_memory_bytes"))},
	{func(h *History) *[]float64 { return &h.CPU }, rate(total("process_cpu_seconds_total"))},
}

// point is one entry of every list.
type point struct {
	at     int64
	values [12]float64
}

func pointOf(then, now reading) point {
	p := point{at: now.at.Unix()}
	for i, c := range columns {
		p.values[i] = c.entry(then, now)
	}
	return p
}

// historyOf makes lists of points.
func historyOf(points []point, every float64) History {
	h := History{EverySeconds: every, At: make([]int64, len(points))}
	for i, p := range points {
		h.At[i] = p.at
	}
	for i, c := range columns {
		list := make([]float64, len(points))
		for j, p := range points {
			list[j] = p.values[i]
		}
		*c.list(&h) = list
	}
	return h
}
