//go:build !unix

package sqlstore_test

import "time"

// cpu is unknown here; the benchmarks report rates alone.
func cpu() time.Duration { return 0 }
