package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	r, err := read(strings.NewReader(`{"Action":"run","Package":"m/a","Test":"TestX"}
{"Action":"pass","Package":"m/a","Test":"TestX/one","Elapsed":9}
{"Action":"pass","Package":"m/a","Test":"TestX","Elapsed":2.5}
{"Action":"skip","Package":"m/a","Test":"TestY","Elapsed":0}
not JSON
{"Action":"output","Package":"m/a","Output":"cpu 1.25 0.50\n"}
{"Action":"pass","Package":"m/a","Elapsed":3}
{"Action":"fail","Package":"m/b","Test":"TestZ","Elapsed":4}
{"Action":"fail","Package":"m/b","Elapsed":5}
{"Action":"skip","Package":"m/none","Elapsed":0}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	r.print(&got, 2)
	want := `| package | tests | wall s | CPU s |
|---|---:|---:|---:|
| m/b (fail) | 1 | 5.0 | 0.0 |
| m/a | 2 | 3.0 | 1.8 |
| all | 3 | 8.0 | 1.8 |

| slowest tests | package | wall s |
|---|---|---:|
| ` + "`TestZ` (fail)" + ` | m/b | 4.0 |
| ` + "`TestX`" + ` | m/a | 2.5 |
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
