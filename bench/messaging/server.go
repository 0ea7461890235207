package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"

	"edict/bench/program"
	"edict/bench/seed"
)

// server is edict with a user who publishes and reads.
type server struct {
	*program.Server
	token string
}

// user is who publishes and reads.
const user = seed.User

// startServer starts the program on a data directory that may be new, with a limit of requests per second and user, 0 for none.
func startServer(ctx context.Context, binary, data string, rate int) (*server, error) {
	s, err := program.Serve(binary, "--only", "messaging", "--data", data, "--messaging-rate", strconv.Itoa(rate))
	if err != nil {
		return nil, err
	}
	token, err := tokenOf(ctx, binary, data, user)
	if err != nil {
		return nil, errors.Join(err, s.Kill())
	}
	return &server{Server: s, token: token}, nil
}

// tokenOf returns a token of a user, who is made if need be.
func tokenOf(ctx context.Context, binary, data, user string) (string, error) {
	_ = exec.CommandContext(ctx, binary, "user", "create", user, "--id", user, "--data", data).Run() // it may be there
	token, err := exec.CommandContext(ctx, binary, "token", "create", "--user", user, "--ttl", "24h", "--data", data).Output()
	if err != nil {
		return "", fmt.Errorf("token create: %w", err)
	}
	return strings.TrimSpace(string(token)), nil
}

// figures are what the server says of its store so far.
type figures struct {
	rows, pages    float64 // read
	writes, groups float64 // committed: publishes, and transactions with their fsync
}

// figures asks the server's metrics.
func (s *server) figures(ctx context.Context) (figures, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Admin+"/metrics", nil)
	if err != nil {
		return figures{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return figures{}, err
	}
	defer response.Body.Close()
	var f figures
	places := map[string]*float64{
		"edict_store_rows_read_total": &f.rows, "edict_store_pages_read_total": &f.pages,
		"edict_store_group_writes_sum": &f.writes, "edict_store_group_writes_count": &f.groups,
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if place := places[name]; place != nil {
			if *place, err = strconv.ParseFloat(value, 64); err != nil {
				return figures{}, err
			}
		}
	}
	return f, nil
}
