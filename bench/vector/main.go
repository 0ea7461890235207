//go:build unix

// Command vector times one expression of four operations, maximum(a * 0.14 + b - 500, 0), over float32 columns of 1,
// 1 000 and 1 000 000 elements, here and in numpy, in the same run, and prints the ratios.
//
//	EDICT_PYTHON=python3 go -C bench run ./vector
//
// Times are CPU time of one core, the best of several rounds that alternate between the two, so that a busy
// machine does not decide.
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"edict/simulation/vector"
)

//go:embed numpy_net.py
var script string

const rounds = 7

func main() {
	if err := run(os.Stdout, os.Getenv("EDICT_PYTHON")); err != nil {
		fmt.Fprintln(os.Stderr, "vector:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, python string) error {
	runtime.GOMAXPROCS(1)
	peer, err := startPeer(python)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "maximum(a * 0.14 + b - 500, 0), float32, processor time, best of %d rounds\n", rounds)
	fmt.Fprintf(w, "%10s %14s %14s %8s\n", "n", "edict ns", "numpy ns", "ratio")
	for _, n := range []int{1, 1000, 1_000_000} {
		times := max(3, 20_000_000/max(n, 100)/rounds)
		a, b := operands(n)
		ours, theirs := time.Duration(1<<62), time.Duration(1<<62)
		for range rounds {
			ours = min(ours, timeNet(a, b, times))
			d, err := peer.time(n, max(3, times/20))
			if err != nil {
				return err
			}
			theirs = min(theirs, d)
		}
		fmt.Fprintf(w, "%10d %14d %14d %7.1fx\n", n, ours.Nanoseconds(), theirs.Nanoseconds(), float64(theirs)/float64(ours))
	}
	return peer.close()
}

func operands(n int) (a, b vector.Column) {
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%4096)*1.5, float32(i%1000)
	}
	return vector.Of(x), vector.Of(y)
}

// timeNet returns the CPU time of one evaluation. Intermediate results are reused and the last one given back, as
// numpy's reference counts do.
func timeNet(a, b vector.Column, times int) time.Duration {
	r := &vector.Rules{Pool: &vector.Pool{}}
	start := processorTime()
	for range times {
		x, _ := r.Binary(vector.Multiply, a, vector.PyFloat(0.14))
		x, _ = r.BinaryReuse(vector.Add, x, b, true, false)
		x, _ = r.BinaryReuse(vector.Subtract, x, vector.PyInt(500), true, false)
		x, _ = r.BinaryReuse(vector.Maximum, x, vector.PyInt(0), true, false)
		r.Pool.Put(x)
	}
	return (processorTime() - start) / time.Duration(times)
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peer is a Python process that times numpy on demand.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(python string) (*peer, error) {
	if python == "" {
		return nil, fmt.Errorf("EDICT_PYTHON is not set: name a Python interpreter that has numpy")
	}
	cmd := exec.Command(python, "-c", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

func (p *peer) time(n, times int) (time.Duration, error) {
	if _, err := fmt.Fprintln(p.in, n, times); err != nil {
		return 0, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	return time.Duration(ns), err
}

func (p *peer) close() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}
