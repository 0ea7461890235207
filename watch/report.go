package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"edict/platform/db"
)

// A report is about many accounts, never about one. An admin may own any number of accounts with watches of known change, choose the laws,
// and start runs until the server allows no more: exact counts and means would give away the one account that is not the admin's.
//
// Each account therefore counts once, in one cell of a few fixed ones, and every cell gets random noise before anything is computed from it.
// All numbers of a report are functions of these cells: what is not in them cannot be in a report.

const (
	// noiseScale is the scale of the two-sided geometric noise of a cell: its standard deviation is 28. Moving one account changes two
	// cells of each of the two tables by one, so that no report is more than (1+1/20)^4 = 1.22 times as likely with one household as with
	// any other.
	noiseScale = 20
	// leastShown is from where a count is shown, five scales: a cell of no account reaches it in 4 of 1000 runs. It is also how many accounts
	// must have watches for a report to have numbers at all.
	leastShown = 100
	// leastBand is from where a band of changes counts for the deciles, leastForDeciles of how many accounts in such bands. An empty band
	// reaches leastBand in 3 of 10,000 runs.
	leastBand, leastForDeciles = 150, 500
)

// bands are the limits between which changes count as one, by their amount. The last band has no upper limit.
var bands = [...]float64{0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}

// Report is what a run found.
type Report struct {
	Recipients *int64            `json:"recipients" doc:"accounts to be notified; approximate, to the nearest ten, null below 100, and where fewer than 100 accounts have watches"`
	Winners    *int64            `json:"winners" doc:"accounts whose largest change is positive, with noise as in recipients"`
	Losers     *int64            `json:"losers"`
	Deciles    []float64         `json:"deciles,omitempty" doc:"approximate mean of the largest change in each tenth of the recipients, lowest first; omitted below 500"`
	Noise      int               `json:"noise,omitempty" doc:"the scale of the two-sided geometric noise in every count"`
	Examples   map[string]string `json:"examples" doc:"the texts with invented amounts"`
}

// storedReport is a report as it is kept, with the counts that a run shows apart from it.
type storedReport struct {
	Report
	LeftOut leftBody `json:"leftOut"`
}

// readReport reads a stored report, nil for none. Of one without noise, which an earlier version wrote, the examples are left.
func readReport(text string) (*storedReport, error) {
	if text == "" {
		return nil, nil
	}
	var r storedReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, err
	}
	if r.Noise == 0 {
		r = storedReport{Report: Report{Examples: r.Examples}}
	}
	return &r, nil
}

// account is what a run found for the watches of one account.
type account struct {
	difference float64 // the largest of those to be told, 0 for none
	left       int     // else the state of one that was left out, the highest of them
}

// add adds the outcome of a watch.
func (a *account) add(o *outcome, state int) {
	if state != toBeTold {
		a.left = max(a.left, state)
		return
	}
	if _, d := o.change.largest(); math.Abs(d) > math.Abs(a.difference) || math.Abs(d) == math.Abs(a.difference) && d > a.difference {
		a.difference = d
	}
}

// cells are the counts that a report is computed from.
type cells struct {
	winners, losers int64
	left            [3]int64 // by state, from leftPeriod on
	rises, falls    [len(bands)]int64
}

// countAccounts puts every account into one cell of both tables: up, down or left out; and its band.
func countAccounts(accounts map[string]account) (c cells) {
	for _, a := range accounts {
		last, found := slices.BinarySearch(bands[:], math.Abs(a.difference))
		if !found {
			last--
		}
		switch {
		case a.difference > 0:
			c.winners++
			c.rises[last]++
		case a.difference < 0:
			c.losers++
			c.falls[last]++
		case a.left != 0:
			c.left[a.left-leftPeriod]++
		}
	}
	return c
}

// blur adds noise to every cell.
func (c *cells) blur(random *rand.Rand) {
	for _, table := range [][]int64{c.left[:], c.rises[:], c.falls[:]} {
		for i := range table {
			table[i] += noise(random)
		}
	}
	c.winners += noise(random)
	c.losers += noise(random)
}

// noise returns the difference of two geometric numbers: k with a probability proportional to (1+1/noiseScale)^-|k|. It is drawn with whole
// numbers, because the last bits of a float of that distribution give away what it was added to.
func noise(random *rand.Rand) (n int64) {
	for random.IntN(noiseScale+1) != 0 {
		n++
	}
	for random.IntN(noiseScale+1) != 0 {
		n--
	}
	return n
}

// newNoise returns a source of noise that cannot be predicted.
func newNoise(seed io.Reader) (*rand.Rand, error) {
	var key [32]byte
	if _, err := io.ReadFull(seed, key[:]); err != nil {
		return nil, err
	}
	return rand.New(rand.NewChaCha8(key)), nil
}

// reportOf returns the report on accounts, which are some of the owners of watches. The number of owners is no secret.
func reportOf(accounts map[string]account, owners int, random *rand.Rand, examples map[string]string) storedReport {
	if owners < leastShown {
		return storedReport{Report: Report{Noise: noiseScale, Examples: examples}}
	}
	c := countAccounts(accounts)
	c.blur(random)
	return storedReport{
		Report: Report{
			Recipients: shown(c.winners + c.losers), Winners: shown(c.winners), Losers: shown(c.losers), Deciles: c.deciles(), Noise: noiseScale, Examples: examples,
		},
		LeftOut: leftBody{shown(c.left[0]), shown(c.left[1]), shown(c.left[2])},
	}
}

// shown is a count to the nearest ten, nil for one that is too small.
func shown(n int64) *int64 {
	if n < leastShown {
		return nil
	}
	return new((n + 5) / 10 * 10)
}

// band is accounts whose changes are between two amounts.
type band struct {
	from, to float64
	accounts int64
}

// shownBands are the bands with enough accounts, from the largest fall to the largest rise, and how many accounts they have.
func (c *cells) shownBands() (all []band, total int64) {
	add := func(i int, sign float64, accounts int64) {
		if accounts < leastBand {
			return
		}
		from, to := cmp.Or(bands[i], 0.3), 3*bands[len(bands)-1]
		if i+1 < len(bands) {
			to = bands[i+1]
		}
		if sign < 0 {
			from, to = to, from
		}
		all, total = append(all, band{sign * from, sign * to, accounts}), total+accounts
	}
	for i := range slices.Backward(c.falls[:]) {
		add(i, -1, c.falls[i])
	}
	for i, n := range c.rises {
		add(i, 1, n)
	}
	return all, total
}

// deciles returns the mean of each tenth, as if the changes in a band were spread evenly by ratio; nil for too few accounts.
func (c *cells) deciles() []float64 {
	all, total := c.shownBands()
	if total < leastForDeciles {
		return nil
	}
	tenths := make([]float64, 10)
	for i := range tenths {
		low, high := float64(total)*float64(i)/10, float64(total)*float64(i+1)/10
		begin := 0.0
		for _, b := range all {
			n := float64(b.accounts)
			if from, to := max(low-begin, 0), min(high-begin, n); from < to {
				tenths[i] += (to - from) / (high - low) * b.at((from+to)/2/n)
			}
			begin += n
		}
		tenths[i], _ = strconv.ParseFloat(strconv.FormatFloat(tenths[i], 'e', 1, 64), 64) // two digits
	}
	return tenths
}

// at returns the amount at a part of a band.
func (b band) at(part float64) float64 { return b.from * math.Pow(b.to/b.from, part) }

// report ends the computation with what it found.
func (j *job) report(ctx context.Context) error {
	accounts, err := j.accounts(ctx)
	if err != nil {
		return err
	}
	random, err := newNoise(j.Random)
	if err != nil {
		return err
	}
	var owners int
	if err := j.db.Read(ctx).QueryRow(sqlWatchOwners, j.run.Created.UnixMilli()).Scan(&owners); err != nil {
		return err
	}
	text, err := json.Marshal(reportOf(accounts, owners, random, j.run.Spec.examples()))
	if err != nil {
		return err
	}
	return j.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlRunReport, j.Now().UnixMilli(), string(text), j.run.ID, j.node))
		if err == nil && n == 0 {
			err = errLost
		}
		return err
	})
}

// accounts reads what was found, by account.
func (j *job) accounts(ctx context.Context) (map[string]account, error) {
	const page = 1000
	all := map[string]account{}
	for _, state := range []int{toBeTold, leftPeriod, leftFigure, leftFailed} {
		for after := ""; ; {
			rows, err := j.outcomes(ctx, state, after, page, func(o *outcome, keyID string, sealed []byte) error {
				return j.unseal(keyID, sealed, outcomePlace(j.run.ID, o.watchID, o.userKey), &o.change)
			})
			if err != nil {
				return nil, err
			}
			for i := range rows {
				a := all[rows[i].userKey]
				a.add(&rows[i], state)
				all[rows[i].userKey], after = a, rows[i].watchID
			}
			if len(rows) < page {
				break
			}
		}
	}
	return all, nil
}
