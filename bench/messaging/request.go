package main

import "fmt"

// get makes a GET request of the service.
func get(s *server, path string) []byte {
	return fmt.Appendf(nil, "GET /message/api/v2%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, s.Addr, s.token)
}

// post makes a POST request of the service.
func post(s *server, path, body string) []byte {
	return fmt.Appendf(nil, "POST /message/api/v2%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, s.Addr, s.token, len(body), body)
}
