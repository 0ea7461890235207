package web

import "testing"

// TestConnectionsFor: some files are kept for others, whatever there are.
func TestConnectionsFor(t *testing.T) {
	for files, want := range map[uint64]int{0: 0, 1: 1, 20: 10, 100: 50, 128: 64, 200: 136, 1024: 896, 8192: 7168, 100_000: 98_976, 1 << 40: 1 << 20} {
		if got := connectionsFor(files); got != want {
			t.Errorf("of %d files %d are for connections, want %d", files, got, want)
		}
	}
}
