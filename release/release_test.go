package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// shared is a release that all tests read.
var shared struct {
	sync.Once
	dir string
}

// TestMain removes the shared release at the end.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		_ = os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// made returns the directory of the shared release.
func made(t *testing.T) string {
	t.Helper()
	shared.Do(func() {
		dir, err := os.MkdirTemp("", "release")
		if err != nil {
			t.Fatal(err)
		}
		shared.dir = dir
		build(t, dir)
	})
	return shared.dir
}

// build makes a release in a directory, of programs that are this test, under other names.
func build(t *testing.T, dir string) {
	t.Helper()
	t.Chdir("..")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	docs := t.TempDir()
	for _, name := range []string{"edict-linux-amd64", "edict-linux-arm64", "edict-windows-amd64.exe"} {
		write(t, filepath.Join(dir, name), content)
	}
	for _, name := range []string{"edict-server_1.2.3_amd64.deb", "edict-server-1.2.3-1.x86_64.rpm", "edict-server_1.2.2_amd64.deb"} {
		write(t, filepath.Join(dir, name), []byte("a package"))
	}
	write(t, filepath.Join(docs, "edict.1"), []byte(".TH"))
	if err := run(dir, "1.2.3", "2026-11-17T01:02:03+01:00", docs); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// untar returns the files of a tar by name.
func untar(t *testing.T, r io.Reader) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for archive := tar.NewReader(r); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

func gunzip(t *testing.T, content []byte) io.Reader {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestArchives(t *testing.T) {
	dir := made(t)
	files := untar(t, gunzip(t, read(t, filepath.Join(dir, "edict-1.2.3-linux-arm64.tar.gz"))))
	for _, name := range []string{"edict", "LICENSE", "README.md", "edict.1"} {
		if len(files["edict-1.2.3-linux-arm64/"+name]) == 0 {
			t.Errorf("the archive has no %s", name)
		}
	}
	z, err := zip.OpenReader(filepath.Join(dir, "edict-1.2.3-windows-amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if program, err := z.Open("edict-1.2.3-windows-amd64/edict.exe"); err != nil {
		t.Error(err)
	} else {
		_ = program.Close()
	}
	var names []string
	for line := range strings.Lines(string(read(t, filepath.Join(dir, "SHA256SUMS")))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		names = append(names, name)
		if got := sha256.Sum256(read(t, filepath.Join(dir, name))); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s: the sum is wrong", name)
		}
	}
	want := "edict-1.2.3-linux-amd64.tar.gz edict-1.2.3-linux-arm64.tar.gz edict-1.2.3-windows-amd64.zip edict-1.2.3.cdx.json edict-server-1.2.3-1.x86_64.rpm edict-server-1.2.3-image.tar edict-server_1.2.3_amd64.deb"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("there are sums of %s, want those of %s", got, want)
	}
}

func TestReproducible(t *testing.T) {
	first := read(t, filepath.Join(made(t), "SHA256SUMS"))
	dir := t.TempDir()
	build(t, dir)
	if again := read(t, filepath.Join(dir, "SHA256SUMS")); !bytes.Equal(first, again) {
		t.Errorf("twice the same, and yet:\n%s\n%s", first, again)
	}
}

// TestImage reads the layout as a registry does: every descriptor has the digest and the size of what it names.
func TestImage(t *testing.T) {
	files := untar(t, bytes.NewReader(read(t, filepath.Join(made(t), "edict-server-1.2.3-image.tar"))))
	if string(files["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("oci-layout is %q", files["oci-layout"])
	}
	type index struct{ Manifests []descriptor }
	parse := func(content []byte, into any) {
		t.Helper()
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatal(err)
		}
	}
	blob := func(d descriptor) []byte {
		t.Helper()
		content := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if sum := sha256.Sum256(content); len(content) != d.Size || "sha256:"+hex.EncodeToString(sum[:]) != d.Digest {
			t.Fatalf("%s has another digest or size", d.Digest)
		}
		return content
	}
	var outer, inner index
	parse(files["index.json"], &outer)
	parse(blob(outer.Manifests[0]), &inner)
	if len(inner.Manifests) != 2 {
		t.Fatalf("%d architectures", len(inner.Manifests))
	}
	for _, d := range inner.Manifests {
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		parse(blob(d), &manifest)
		var config struct {
			Architecture string
			Config       struct {
				User       string
				Entrypoint []string
			}
			RootFS struct {
				DiffIDs []string `json:"diff_ids"`
			}
		}
		parse(blob(manifest.Config), &config)
		if config.Architecture != d.Platform.Architecture || config.Config.User != imageUser || config.Config.Entrypoint[0] != "/edict" {
			t.Errorf("the configuration is %+v", config)
		}
		plain, err := io.ReadAll(gunzip(t, blob(manifest.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(plain); config.RootFS.DiffIDs[0] != "sha256:"+hex.EncodeToString(sum[:]) {
			t.Error("the layer is not the one of the configuration")
		}
		layer := untar(t, bytes.NewReader(plain))
		if len(layer["edict"]) == 0 {
			t.Error("the layer has no program")
		}
		if pool := x509.NewCertPool(); !pool.AppendCertsFromPEM(layer[authoritiesFile]) || strings.Count(string(layer[authoritiesFile]), "BEGIN") < 100 {
			t.Error("the layer has no authorities to trust other servers by")
		}
	}
}

func TestBill(t *testing.T) {
	var bill struct {
		BOMFormat  string
		Components []component
	}
	if err := json.Unmarshal(read(t, filepath.Join(made(t), "edict-1.2.3.cdx.json")), &bill); err != nil {
		t.Fatal(err)
	}
	if bill.BOMFormat != "CycloneDX" || len(bill.Components) == 0 || bill.Components[0].Name != "stdlib" {
		t.Errorf("the bill is %+v", bill)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ version, date, want string }{
		{"", "2026-11-17T01:02:03Z", "-version is missing"},
		{"1", "yesterday", "-date"},
		{"1", "2026-11-17T01:02:03Z", "has no programs"},
	} {
		if err := run(t.TempDir(), c.version, c.date, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v", c.version, c.date, err)
		}
	}
}

// TestVersions: what is published together has one version.
func TestVersions(t *testing.T) {
	seen := map[string]string{}
	for file, pattern := range map[string]string{
		"Makefile":                      `(?m)^RELEASE +\?= (\S+)$`,
		"clients/python/pyproject.toml": `(?m)^version = "(.+)"$`,
		"clients/python/src/edict_client/__init__.py": `(?m)^__version__ = "(.+)"$`,
		"clients/typescript/package.json":             `"version": "(.+)"`,
		"clients/typescript/package-lock.json":        `"version": "(.+)"`,
		"clients/typescript/README.md":                "`edict-client-([0-9.]+)\\.tgz`",
	} {
		found := regexp.MustCompile(pattern).FindSubmatch(read(t, filepath.Join("..", file)))
		if found == nil {
			t.Errorf("%s says no version", file)
			continue
		}
		seen[string(found[1])] += " " + file
	}
	if len(seen) != 1 {
		t.Errorf("versions differ: %v", seen)
	}
}
