package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/cli"
)

// endingServer is what a process hears and tells: its input ends when it has told something, and it goes on when it has heard of that.
type endingServer struct {
	order io.Reader
	told  chan struct{} // closed at the first word
	ended chan struct{} // closed at the end of the input
	once  [2]sync.Once
	text  bytes.Buffer
}

func (s *endingServer) Read(p []byte) (int, error) {
	if n, err := s.order.Read(p); err == nil {
		return n, nil
	}
	<-s.told
	s.once[0].Do(func() { close(s.ended) })
	return 0, io.EOF
}

func (s *endingServer) Write(p []byte) (int, error) {
	s.once[1].Do(func() { close(s.told) })
	<-s.ended
	return s.text.Write(p)
}

// TestPopulationEndsWithItsServer: a process that computes a population gives up when its input ends, and leaves no file.
func TestPopulationEndsWithItsServer(t *testing.T) {
	dir := t.TempDir()
	input := filepath.Join(dir, "input.csv")
	rows := bytes.NewBufferString("individu_id\n")
	for i := range 100_000 {
		fmt.Fprintln(rows, i)
	}
	if err := os.WriteFile(input, rows.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	law := cli.CountryConfig{Profile: "32", Dialect: []string{"numpy1", "core44"}, Memory: 1 << 30, Cache: "off"}
	hash, err := law.HashOfLaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	order, err := json.Marshal(map[string]any{
		"country": law, "memory": 1 << 30, "hash": hash,
		"task": map[string]any{"input": input, "rows": 1_000_000, "cores": 1, "options": map[string]any{"variables": []string{"revdisp"}, "period": "2022"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &endingServer{order: bytes.NewReader(order), told: make(chan struct{}), ended: make(chan struct{})}
	var stderr strings.Builder
	status := cli.Run(t.Context(), []string{"compute-population"}, &cli.Env{Stdin: server, Stdout: server, Stderr: &stderr, Now: time.Now})
	if told := server.text.String(); status != 0 || !strings.Contains(told, "context canceled") || !strings.Contains(told, "rogress") {
		t.Errorf("status %d, %s%s", status, told, stderr.String())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestComputePopulationByHand: whoever calls it is told whom it is for.
func TestComputePopulationByHand(t *testing.T) {
	var stdout, stderr strings.Builder
	status := cli.Run(t.Context(), []string{"compute-population"}, &cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: time.Now})
	if status != 2 || !strings.Contains(stderr.String(), "this command is for servers") {
		t.Errorf("status %d, %s", status, stderr.String())
	}
}
