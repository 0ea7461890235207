package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

// Main is the main function of a command: it reads the arguments, runs until it is done or interrupted and, when something
// failed, reports what and ends the process with status 1.
func Main[O any](name string, parse func(args []string) (O, error), run func(context.Context, O, io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(ctx, o, os.Stdout)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Cache is the directory for data that takes long to make and is kept for the next run.
func Cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "edict-bench")
}

// Given returns the program at a path, or one that is built if the path is empty; remove removes that one.
func Given(ctx context.Context, path string) (binary string, remove func(), err error) {
	if path != "" {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // what stays is in the directory for such things
	if binary, err = Build(ctx, dir); err != nil {
		remove()
	}
	return binary, remove, err
}

// Numbers reads numbers above 0 with commas between them.
func Numbers(list string) (all []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number above 0", word)
		}
		all = append(all, n)
	}
	return all, nil
}
