package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// head reads the head of an answer: its status and its headers, in small letters.
func (w *wire) head() (status int, headers map[string]string, err error) {
	line, err := w.in.ReadString('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < 12 {
		return 0, nil, fmt.Errorf("an answer begins with %q", line)
	}
	if status, err = strconv.Atoi(line[9:12]); err != nil {
		return 0, nil, err
	}
	headers = map[string]string{}
	for {
		if line, err = w.in.ReadString('\n'); err != nil {
			return 0, nil, err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			return status, headers, nil
		}
		name, value, _ := strings.Cut(line, ":")
		headers[strings.ToLower(name)] = strings.TrimSpace(value)
	}
}

// exchange sends a request and reads the whole answer, which has a length or comes in chunks.
func (w *wire) exchange(request string) (status int, body []byte, err error) {
	if _, err := io.WriteString(w, request); err != nil {
		return 0, nil, err
	}
	status, headers, err := w.head()
	if err != nil {
		return 0, nil, err
	}
	if headers["transfer-encoding"] == "chunked" {
		body, err = w.chunks()
	} else {
		length, _ := strconv.Atoi(headers["content-length"])
		body = make([]byte, length)
		_, err = io.ReadFull(w.in, body)
	}
	w.last = headers["connection"] == "close"
	return status, body, err
}

func (w *wire) chunks() (body []byte, err error) {
	for {
		line, err := w.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(line), 16, 32)
		if err != nil {
			return nil, err
		}
		chunk := make([]byte, size+2) // CR LF
		if _, err := io.ReadFull(w.in, chunk); err != nil {
			return nil, err
		}
		if size == 0 {
			return body, nil
		}
		body = append(body, chunk[:size]...)
	}
}
