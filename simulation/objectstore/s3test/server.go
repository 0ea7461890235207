// Package s3test starts an S3-compatible server of somebody else for tests.
package s3test

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket is the one that a server has when it starts.
const Bucket = "edict"

// Flag says what tests take to name a server.
const Flag = `command that starts an S3-compatible server with the access key "key" and the secret "secret", such as versitygw; {address} stands for where it listens, {dir} for an empty directory`

// Server is a server that runs until the test ends.
type Server struct {
	Client *minio.Client
	URL    string
	stop   func()
}

// Start starts the server that a command names, and makes a bucket. The environment says to clients, of this process and of those it
// starts, where it is. Without a command the test is skipped.
func Start(t testing.TB, command string) *Server {
	t.Helper()
	if command == "" {
		t.Skip("-s3 names no S3-compatible server")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	words := strings.Fields(strings.NewReplacer("{address}", address, "{dir}", t.TempDir()).Replace(command))
	ctx, cancel := context.WithCancel(context.Background())
	process := exec.CommandContext(ctx, words[0], words[1:]...)
	if err := process.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	s := &Server{URL: "http://" + address, stop: func() { cancel(); _ = process.Wait() }}
	t.Cleanup(s.stop)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": s.URL, "AWS_ENDPOINT_URL_S3": "", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	s.Client, err = minio.New(address, &minio.Options{Creds: credentials.NewStaticV4("key", "secret", ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // the server of somebody else has no event for it
		if err = s.Client.MakeBucket(t.Context(), Bucket, minio.MakeBucketOptions{}); err == nil {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// Stop ends the server.
func (s *Server) Stop() { s.stop() }

// Uploads counts the uploads that are not complete.
func (s *Server) Uploads(t testing.TB) (n int) {
	t.Helper()
	for u := range s.Client.ListIncompleteUploads(t.Context(), Bucket, "", true) {
		if u.Err != nil {
			t.Fatal(u.Err)
		}
		n++
	}
	return n
}

// Objects names what the bucket has.
func (s *Server) Objects(t testing.TB) (names []string) {
	t.Helper()
	for o := range s.Client.ListObjects(t.Context(), Bucket, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, o.Key)
	}
	return names
}
