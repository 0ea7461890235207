package watch

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// crowd is n accounts of an attacker, spread evenly over changes, and the one account that is not the attacker's.
func crowd(n int, changes []float64, victim float64) map[string]account {
	all := make(map[string]account, n+1)
	for i := range n {
		all[fmt.Sprint("attacker", i)] = account{difference: changes[i%len(changes)]}
	}
	all["victim"] = account{difference: victim}
	return all
}

func fixedNoise(seed byte) *rand.Rand { return rand.New(rand.NewChaCha8([32]byte{seed})) }

// TestNoise: one account more in a cell makes no count more than 1+1/noiseScale times as likely, and the noise has no bias.
func TestNoise(t *testing.T) {
	const draws = 1_000_000
	random, seen, sum := fixedNoise(1), map[int64]float64{}, 0.0
	for range draws {
		n := noise(random)
		seen[n]++
		sum += float64(n)
	}
	if mean := sum / draws; math.Abs(mean) > 0.1 {
		t.Errorf("the mean is %v", mean)
	}
	for n := int64(-40); n < 40; n++ {
		if ratio := seen[n] / seen[n+1]; math.Abs(math.Log(ratio)) > math.Log(1+1.0/noiseScale)+0.1 {
			t.Errorf("%d is %v times as likely as %d", n, ratio, n+1)
		}
	}
}

// TestReportSolvedForOne: an attacker who knows the changes of all accounts but one, and solves what a report says for the one, is off by far more than any
// change there is.
func TestReportSolvedForOne(t *testing.T) {
	const own, victim = 2000, 4321.0
	r := reportOf(crowd(own, []float64{500}, victim), own+1, fixedNoise(2), nil)
	if r.Recipients == nil || r.Winners == nil || len(r.Deciles) != 10 {
		t.Fatalf("%+v", r)
	}
	sum := 0.0
	for _, d := range r.Deciles {
		sum += d / 10
	}
	if guess := sum*(own+1) - own*500; math.Abs(guess-victim) < 10*victim {
		t.Errorf("the mean of %d accounts gives %v away as %v", own+1, victim, guess)
	}
	if *r.Recipients == own+1 || *r.Recipients%10 != 0 {
		t.Errorf("the count is exact: %d", *r.Recipients)
	}
}

// difference is how much the cells that a report is computed from speak for a rise of 2000 and against a fall of 2, once the attacker's own accounts are
// taken off: more than the report shows.
func difference(a map[string]account, known *cells, random *rand.Rand) (score float64) {
	c := countAccounts(a)
	c.blur(random)
	for _, cell := range []struct {
		n    int64
		sign float64
	}{{c.winners - known.winners, 1}, {c.rises[7] - known.rises[7], 1}, {c.losers - known.losers, -1}, {c.falls[1] - known.falls[1], -1}} {
		// The logarithm of how much likelier the count is with the account in the cell.
		score += cell.sign * (math.Abs(float64(cell.n)) - math.Abs(float64(cell.n-1)))
	}
	return score
}

// TestReportDifferencing: an attacker who owns every other account and has the noisy cells themselves, unrounded, of all runs of a day decides by the
// likelihood which of two changes the victim has. That is right in no more than 62 of 100 cases, of which 50 are luck; nor does a larger crowd help.
func TestReportDifferencing(t *testing.T) {
	for _, own := range []int{0, 150, 1000} {
		base := crowd(own, []float64{2000, -2}, 0)
		known := countAccounts(base)
		random, right := fixedNoise(3), 0
		const days, runsADay = 500, 10
		for day := range days {
			victim := []float64{2000, -2}[day%2]
			base["victim"] = account{difference: victim}
			score := 0.0
			for range runsADay {
				score += difference(base, &known, random)
			}
			if score > 0 == (victim > 0) {
				right++
			}
		}
		if share := float64(right) / days; share > 0.62 {
			t.Errorf("%d accounts: right in %v of all cases", own, share)
		}
	}
}

// TestReportBisection: an attacker asks one run for each bit of the victim's figure, by laws that pay those whose figure is above a limit. The
// attacker's own accounts above it are enough for counts to be shown, and so many that the victim decides how the count is rounded.
func TestReportBisection(t *testing.T) {
	const bits, own, tries = 7, 304, 400
	random, found := fixedNoise(4), 0
	for try := range tries {
		secret := try % (1 << bits)
		low, high := 0, 1<<bits
		for high-low > 1 {
			middle, change := (low+high)/2, 0.0
			if secret >= middle {
				change = 500
			}
			r := reportOf(crowd(own, []float64{500}, change), own+1, random, nil)
			if r.Winners != nil && *r.Winners > own {
				low = middle
			} else {
				high = middle
			}
		}
		if low == secret {
			found++
		}
	}
	if share := float64(found) / tries; share > 0.05 { // by luck alone 0.008
		t.Errorf("the figure was found in %v of all cases", share)
	}
}

// TestReportCapsAccounts: an account counts once, by its largest change, however many watches it has; one that is told is not left out as well.
func TestReportCapsAccounts(t *testing.T) {
	var a account
	for i := range maxWatches {
		a.add(&outcome{change: change{[]float64{0}, []float64{float64(10 * i)}}}, toBeTold)
	}
	a.add(&outcome{}, leftFailed)
	if c := countAccounts(map[string]account{"ada": a}); c.winners != 1 || c.rises[5] != 1 || c.left != [3]int64{} {
		t.Errorf("%+v", c)
	}
}

// TestReportFewOwners: 99 accounts have no numbers, whatever noise there is, and many watches of one account are one account.
func TestReportFewOwners(t *testing.T) {
	for seed := range byte(200) {
		if r := reportOf(crowd(leastShown-2, []float64{500}, 500), leastShown-1, fixedNoise(seed), nil); r.Recipients != nil || r.Winners != nil || r.Losers != nil || r.Deciles != nil {
			t.Fatalf("%+v", r)
		}
	}
	w := newWorld(t)
	for i := range 8 {
		for range maxWatches {
			one := household(1000)
			one.UserID = fmt.Sprint("attacker", i)
			w.create(one)
		}
	}
	if body := runBodyOf(new(w.run(spec, false))); body.Recipients != nil || body.Report.Winners != nil || body.LeftOut != (leftBody{}) {
		t.Errorf("160 watches of 8 accounts: %+v", body)
	}
}

// TestRunShowsNoExactCount: while a run is computed and sent, and when it is cancelled, what admins are shown has no count but those of watches.
func TestRunShowsNoExactCount(t *testing.T) {
	r := Run{ID: "x", Total: 160, Computed: 120, told: 77, sent: 33, unsent: 44}
	for _, r.State = range []State{Computing, Computed, Sending, Sent, Cancelled, Failed} {
		text, err := json.Marshal(runBodyOf(&r))
		if err != nil {
			t.Fatal(err)
		}
		for _, exact := range []string{"77", "33", "44"} {
			if strings.Contains(string(text), exact) {
				t.Errorf("%s: %s", r.State, text)
			}
		}
	}
}

// TestReportDeciles: with many accounts the deciles say what the changes are, to the width of a band, in order.
func TestReportDeciles(t *testing.T) {
	var changes []float64
	for i := range 10 {
		changes = append(changes, 200*float64(i)-500)
	}
	r := reportOf(crowd(50_000, changes, 0), 50_001, fixedNoise(5), nil)
	if r.Recipients == nil || math.Abs(float64(*r.Recipients-50_000)) > 300 || len(r.Deciles) != 10 {
		t.Fatalf("%+v", r)
	}
	for i, d := range r.Deciles {
		if d/changes[i] < 1.0/3 || d/changes[i] > 3 || i > 0 && d < r.Deciles[i-1] {
			t.Errorf("tenth %d is %v, not about %v", i+1, d, changes[i])
		}
	}
}

// TestOldReport: a report of an earlier version, whose numbers are exact, shows its examples only.
func TestOldReport(t *testing.T) {
	r, err := readReport(`{"recipients": 77, "winners": 76, "losers": 1, "deciles": [1, 2], "examples": {"en": "text"}}`)
	if err != nil || r.Recipients != nil || r.Winners != nil || r.Losers != nil || r.Deciles != nil || r.Examples["en"] != "text" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRunsOfADay: a day has as many runs as there may be, whoever starts them, cancelled ones too; the error says when there may be another, and that removing
// old runs does not help.
func TestRunsOfADay(t *testing.T) {
	w := newWorld(t)
	w.create(household(1000))
	start := func(by string) error {
		r, err := w.Start(t.Context(), Act{UserID: by}, spec, false)
		if err == nil {
			_, err = w.CancelRun(t.Context(), Act{UserID: by}, r.ID)
		}
		return err
	}
	for i := range 10 {
		if err := start(fmt.Sprint("boss", i)); err != nil {
			t.Fatal(err)
		}
	}
	err := start("other")
	if f := fault.From(err); f.Kind != fault.TooMany || f.RetryAfter != 24*60*60 || !strings.Contains(f.Message, "--watch-runs") {
		t.Errorf("%v", err)
	}
	w.now = w.now.Add(runsWindow)
	if err := start("boss"); err != nil {
		t.Errorf("a day later: %v", err)
	}
	// Runs of the last day are not swept, however many there are.
	if err := w.db.Write(t.Context(), func(tx *db.Tx) error {
		for i := range 120 {
			if _, err := tx.Exec(sqlRunInsert, fmt.Sprint("filler", i), w.now.UnixMilli(), w.now.UnixMilli(), "boss", 0, "{}", 1); err != nil {
				return err
			}
		}
		_, err := tx.Exec("UPDATE watch_run SET state = 'cancelled'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Hour)
	if err := w.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := start("boss"); fault.KindOf(err) != fault.TooMany {
		t.Errorf("after the sweep: %v", err)
	}
}
