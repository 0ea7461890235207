//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"edict/bench/program"
)

// server is a program that answers requests, with its children.
type server struct{ *program.Server }

// startEdict starts the program and waits until its legislation is loaded.
func startEdict(binary, country string) (*server, error) {
	args := []string{"--only", "simulation"}
	if country != "" {
		args = append(args, "--country", country)
	}
	started, err := program.Serve(binary, args...)
	if err != nil {
		return nil, err
	}
	s := &server{started}
	return s, s.await("/entities")
}

// startReference starts the OpenFisca web API as its own documentation says.
func startReference(ctx context.Context, o options, l legislation) (*server, error) {
	addr, err := program.FreePort()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, o.python, "-m", "openfisca_core.scripts.openfisca_command", "serve",
		"--country-package", l.module, "--bind", addr, "--workers", strconv.Itoa(o.workers))
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if l.pythons != "" {
		cmd.Env = append(cmd.Env, "PYTHONPATH="+l.pythons)
	}
	cmd.Stdout = io.Discard
	cmd.WaitDelay = time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	started, err := program.Start(cmd)
	if err != nil {
		return nil, err
	}
	started.Addr = addr
	s := &server{started}
	return s, s.await("/entities")
}

// await asks until the server answers; one that does not is stopped.
func (s *server) await(path string) error {
	var last error
	for range 600 {
		resp, err := http.Get("http://" + s.Addr + path)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(resp.Status)
		}
		last = err
		time.Sleep(100 * time.Millisecond)
	}
	return errors.Join(fmt.Errorf("the server does not answer: %w", last), s.Stop())
}
