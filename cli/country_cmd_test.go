package cli_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptIndex serves the directories below a directory as wheels, in a package index on loopback; sets $INDEX. A wheel is listed
// with a wrong hash when its directory holds a file named wrong.
func scriptIndex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: index DIR")
	}
	dir := os.DirFS(ts.MkAbs(args[0]))
	wheels := map[string][]byte{}
	hashes := map[string]string{}
	entries, err := fs.ReadDir(dir, ".")
	ts.Check(err)
	for _, e := range entries {
		inside, err := fs.Sub(dir, e.Name())
		ts.Check(err)
		wheels[e.Name()], err = zipWheel(inside)
		ts.Check(err)
		hashes[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(wheels[e.Name()]))
		if _, err := fs.Stat(inside, "wrong"); err == nil {
			hashes[e.Name()] = strings.Repeat("0", 64)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if content, ok := wheels[path.Base(r.URL.Path)]; ok {
			_, _ = w.Write(content)
			return
		}
		serveProject(w, path.Base(r.URL.Path), hashes)
	}))
	ts.Defer(s.Close)
	ts.Setenv("INDEX", s.URL+"/simple/")
}

func serveProject(w http.ResponseWriter, project string, hashes map[string]string) {
	var files []map[string]any
	for name, hash := range hashes {
		if distribution, _, _ := strings.Cut(name, "-"); strings.ReplaceAll(distribution, "_", "-") == project {
			files = append(files, map[string]any{"filename": name, "url": "/files/" + name, "hashes": map[string]string{"sha256": hash}, "yanked": false})
		}
	}
	if files == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
	_ = json.NewEncoder(w).Encode(map[string]any{"meta": map[string]string{"api-version": "1.0"}, "name": project, "files": files})
}

func zipWheel(files fs.FS) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := errors.Join(w.AddFS(files), w.Close())
	return b.Bytes(), err
}
