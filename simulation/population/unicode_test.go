package population

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnicode: text that is not UTF-8 is refused with its place and what to do, unless it is in a column that means nothing.
func TestUnicode(t *testing.T) {
	const header = "person_id,household_id,salary,nickname,zone,note\n"
	var many strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&many, "ré%d,%d,100,ö,,\n", i, i)
	}
	for name, c := range map[string]struct {
		rows string
		want string // "" for none
	}{
		"UTF-8":        {"éa,1,2,\"ö\",north,œ\n", ""},
		"variable":     {"a,1,2,x,north,\nb,2,2,Fran\xe7ois,north,\n", `line 3, column "nickname": "Fran\xe7ois" is not UTF-8`},
		"in quotes":    {"a,1,2,\"Fran\xe7ois, \"\"x\"\"\",north,\n", `line 2, column "nickname": "Fran\xe7ois, \"x\"" is not UTF-8`},
		"person":       {"\xe9,1,2,x,north,\n", `line 2, column "person_id": "\xe9" is not UTF-8`},
		"group":        {"a,\xe9,2,x,north,\n", `line 2, column "household_id": "\xe9" is not UTF-8`},
		"number":       {"a,1,\xe9,x,north,\n", `line 2, column "salary": "\xe9" is not UTF-8`},
		"choice":       {"a,1,2,x,nor\xe9,\n", `line 2, column "zone": "nor\xe9" is not UTF-8`},
		"no column":    {"a,1,2,x,north,\xe9\n", ""},
		"much further": {many.String() + "\na,9001,2,\xc3,,\n", `line 9003, column "nickname": "\xc3" is not UTF-8`},
	} {
		for _, format := range []string{".csv", ".parquet"} {
			t.Run(name+format, func(t *testing.T) {
				dir := t.TempDir()
				want := c.want
				input := filepath.Join(dir, "in"+format)
				if format == ".csv" {
					file(t, dir, "in.csv", header+c.rows)
					want = strings.Replace(want, "is not UTF-8", "is not UTF-8: save the file as UTF-8; if it is Latin-1, iconv -f latin1 -t utf-8 does so", 1)
				} else {
					if strings.Contains(c.rows, `"`) || strings.Contains(c.rows, "\n\n") {
						t.Skip("for CSV alone")
					}
					parquetOf(t, input, strings.Split(strings.TrimSpace(header+c.rows), "\n"))
					want = strings.NewReplacer("line 2", "row 1", "line 3", "row 2", "is not UTF-8", "is not UTF-8: write the column as UTF-8").Replace(want)
				}
				j := landJob(t, input, "salary", "nickname")
				j.IgnoreUnknown, j.Workers = true, 2
				if _, err := run(t, j); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v, want %q in it", err, want)
				}
			})
		}
	}
	j := landJob(t, file(t, t.TempDir(), "in.csv", "person_id,sal\xe9\na,1\n"), "salary")
	if _, err := run(t, j); err == nil || !strings.Contains(err.Error(), "the name of column 2 is not UTF-8: save the file as UTF-8") {
		t.Errorf("the error is %v", err)
	}
}
