//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// sameInParts computes the file whole and in parts, as CSV and as Parquet, and holds the bytes of rows and report against each other.
func sameInParts(w io.Writer, a ask, counts string) error {
	fmt.Fprintf(w, "%8s %10s %8s %10s\n", "parts", "format", "rounds", "")
	for _, format := range []string{".csv", ".parquet"} {
		dir := filepath.Join(filepath.Dir(a.Output), strings.TrimPrefix(format, "."))
		want, err := a.whole(filepath.Join(dir, "whole"), "out"+format)
		if err != nil {
			return err
		}
		for text := range strings.SplitSeq(counts, ",") {
			n, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("-parts: %w", err)
			}
			got, rounds, err := a.parts(filepath.Join(dir, text), "out"+format, n)
			if err != nil {
				return err
			}
			for name := range want {
				if !bytes.Equal(got[name], want[name]) {
					return fmt.Errorf("%s of %d parts has other bytes than that of one run", name, n)
				}
			}
			fmt.Fprintf(w, "%8d %10s %8d %10s\n", n, format, rounds, "equal")
		}
	}
	return nil
}

func (a ask) command(output string, more ...string) *exec.Cmd {
	args := []string{
		"population", "--quiet", "--input", a.Input, "--output", output, "--variables", strings.Join(a.Variables, ","), "--period", a.Period,
		"--income", a.Variables[0], "--equivalence", "sqrt", "--jobs", strconv.Itoa(a.jobs), "--cache", a.cache,
	}
	if a.Dir != embedded {
		args = append(args, "--country", a.Dir)
	}
	return exec.Command(a.edict, append(args, more...)...)
}

func (a ask) whole(dir, output string) (map[string][]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if _, _, err := process(a.command(filepath.Join(dir, output), "--report", filepath.Join(dir, "report.json")), nil); err != nil {
		return nil, err
	}
	return readDir(dir)
}

// parts computes every part by its own process and merges them, again with the answers of all as long as they are asked for.
func (a ask) parts(dir, output string, n int) (map[string][]byte, int, error) {
	parts, merged := filepath.Join(dir, "parts"), filepath.Join(dir, "merged")
	if err := errors.Join(os.MkdirAll(parts, 0o700), os.MkdirAll(merged, 0o700)); err != nil {
		return nil, 0, err
	}
	var answers []string
	for rounds := 1; ; rounds++ {
		for i := 1; i <= n; i++ {
			more := append([]string{"--part", fmt.Sprintf("%d/%d", i, n)}, answers...)
			if _, _, err := process(a.command(filepath.Join(parts, fmt.Sprintf("%d.%s", i, output)), more...), nil); err != nil {
				return nil, rounds, fmt.Errorf("part %d: %w", i, err)
			}
		}
		merge := exec.Command(a.edict, "population", "merge", "--quiet", "--output", filepath.Join(merged, output), "--report", filepath.Join(merged, "report.json"), parts)
		_, _, err := process(merge, nil)
		if merge.ProcessState.ExitCode() == 3 {
			answers = []string{"--answers", filepath.Join(dir, "answers.json")}
			if err := os.Rename(filepath.Join(merged, "answers.json"), answers[1]); err != nil {
				return nil, rounds, err
			}
			continue
		}
		if err != nil {
			return nil, rounds, err
		}
		files, err := readDir(merged)
		return files, rounds, err
	}
}

func readDir(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	files := map[string][]byte{}
	for _, e := range entries {
		text, wrong := os.ReadFile(filepath.Join(dir, e.Name()))
		files[e.Name()], err = text, errors.Join(err, wrong)
	}
	return files, err
}
