// Package objectstore keeps the files of populations in buckets of an S3-compatible object store: s3://BUCKET/KEY. Files are read in
// ranges and written as multipart uploads, which appear when they are completed, or not at all.
package objectstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"edict/simulation/population"
)

// Scheme begins the names of files in buckets.
const Scheme = "s3://"

// Storage has files in buckets beside those of another storage. The endpoint and the keys are those of the usual variables
// (AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE) and files; they are looked at when
// the first such file is named.
type Storage struct {
	Beside population.Storage

	patience time.Duration // how long a store may be silent; 0 is silence

	once  sync.Once
	store *store
	err   error
}

func (s *Storage) connect() (*store, error) {
	s.once.Do(func() { s.store, s.err = newStore(os.Getenv, cmp.Or(s.patience, silence)) })
	return s.store, s.err
}

func newStore(env func(string) string, patience time.Duration) (*store, error) {
	address := "https://s3.amazonaws.com"
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"} {
		if value := env(name); value != "" {
			address = value
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL: %q is no address; one looks like https://s3.example.org", address)
	}
	region := env("AWS_REGION")
	if region == "" {
		region = env("AWS_DEFAULT_REGION")
	}
	secure := u.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	client, err := minio.NewCore(u.Host, &minio.Options{
		Transport: watchedTransport{transport},
		Creds:     credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
		Secure:    secure, Region: region,
	})
	if err != nil {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL: %w", err)
	}
	return &store{client, u.Scheme + "://" + u.Host, patience}, nil
}

// place takes s3://BUCKET/KEY apart.
func place(name string) (bucket, key string, err error) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(name, Scheme), "/")
	if bucket == "" {
		return "", "", fmt.Errorf("%s: a file in a bucket is named s3://BUCKET/KEY", name)
	}
	return bucket, key, nil
}

func here(name string) bool { return strings.HasPrefix(name, Scheme) }

// Open implements population.Storage.
func (s *Storage) Open(ctx context.Context, name string) (population.Object, error) {
	if !here(name) {
		return s.Beside.Open(ctx, name)
	}
	store, bucket, key, err := s.find(name)
	if err != nil {
		return nil, err
	}
	watched, done := store.watch(ctx)
	defer done()
	info, err := store.StatObject(watched, bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return nil, store.explain(watched, name, err)
	}
	return &object{ctx: ctx, store: store, name: name, bucket: bucket, key: key, etag: info.ETag, size: info.Size}, nil
}

// answerWithin is how long a run that is interrupted waits for the answer to an upload that it began.
const answerWithin = 2 * time.Second

// Create implements population.Storage.
func (s *Storage) Create(ctx context.Context, name string) (population.Draft, error) {
	if !here(name) {
		return s.Beside.Create(ctx, name)
	}
	store, bucket, key, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// An upload whose id nobody has heard cannot be given up: a run that is interrupted here waits a moment for the answer.
	begin, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(answerWithin, stop) })()
	begin, done := store.watch(begin)
	defer done()
	id, err := store.NewMultipartUpload(begin, bucket, key, minio.PutObjectOptions{})
	if err != nil {
		return nil, store.explain(begin, name, err)
	}
	return &draft{ctx: ctx, store: store, name: name, bucket: bucket, key: key, upload: id}, nil
}

func (s *Storage) find(name string) (store *store, bucket, key string, err error) {
	if bucket, key, err = place(name); err != nil {
		return nil, "", "", err
	}
	if key == "" {
		return nil, "", "", fmt.Errorf("%s: the name of a file in the bucket is missing", name)
	}
	store, err = s.connect()
	return store, bucket, key, err
}

// maxListed bounds the files of a directory.
const maxListed = 1_000_000

// List implements population.Storage: the objects below a prefix, without those of directories in it.
func (s *Storage) List(ctx context.Context, dir string) ([]string, error) {
	if !here(dir) {
		return s.Beside.List(ctx, dir)
	}
	bucket, prefix, err := place(dir)
	if err != nil {
		return nil, err
	}
	store, err := s.connect()
	if err != nil {
		return nil, err
	}
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	ctx, done := store.watch(ctx)
	defer done()
	var names []string
	for o := range store.Client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix}) {
		switch {
		case o.Err != nil:
			return nil, store.explain(ctx, dir, o.Err)
		case len(names) == maxListed:
			return nil, fmt.Errorf("%s has more than %d files", dir, maxListed)
		case !strings.HasSuffix(o.Key, "/"):
			names = append(names, Scheme+bucket+"/"+o.Key)
		}
	}
	return names, nil
}

// Same implements population.Storage: an object has one name.
func (s *Storage) Same(one, other string) bool {
	if here(one) || here(other) {
		return one == other
	}
	return s.Beside.Same(one, other)
}

// explain says what is wrong with a file in a bucket, and what can be done about it. The context is that of a watch.
func (s *store) explain(ctx context.Context, name string, err error) error {
	if silent, ok := errors.AsType[*silentError](context.Cause(ctx)); ok {
		return fmt.Errorf("%s: %w", name, silent)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	var told minio.ErrorResponse
	if !errors.As(err, &told) {
		return fmt.Errorf("%s: the object store at %s cannot be reached: %w", name, s.address, err)
	}
	switch {
	case told.Code == "NoSuchBucket":
		return fmt.Errorf("%s: there is no such bucket", name)
	case told.Code == "NoSuchKey" || told.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: no such file", name)
	case told.StatusCode == http.StatusPreconditionFailed:
		return fmt.Errorf("%s was changed while it was read: begin again", name)
	case told.StatusCode == http.StatusForbidden || told.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%s: the object store does not allow it (%s): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", name, told.Code)
	}
	return fmt.Errorf("%s: the object store says %s: %s", name, told.Code, told.Message)
}
