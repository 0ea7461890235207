// Command release makes what is published of the programs that "make release" has built: an archive for each platform with completions and
// manual pages, images for containers, a bill of materials, and checksums of all of it and of the packages that are there. It needs nothing but Go, and the same programs give the same bytes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	dir := flag.String("dir", "dist", "directory with edict-OS-ARCH[.exe], where everything is written")
	version := flag.String("version", "", "version that the names have")
	date := flag.String("date", "", "time of every file inside archives and images, RFC 3339: that of the commit")
	docs := flag.String("docs", "", "directory with completions/ and man/, as the program writes them")
	flag.Parse()
	if err := run(*dir, *version, *date, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// program is a built program.
type program struct {
	path     string
	os, arch string
}

// name of the file inside archives.
func (p program) name() string {
	if p.os == "windows" {
		return "edict.exe"
	}
	return "edict"
}

func run(dir, version, date, docs string) error {
	if version == "" {
		return fmt.Errorf("-version is missing: names of files have it")
	}
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	programs, err := findPrograms(dir)
	if err != nil {
		return err
	}
	extras, err := extraFiles(docs)
	if err != nil {
		return err
	}
	var made []string
	for _, p := range programs {
		name, err := writeArchive(dir, version, p, extras, at.UTC())
		if err != nil {
			return err
		}
		made = append(made, name)
	}
	for _, more := range []func(string, string, []program, time.Time) (string, error){writeBill, writeImage} {
		name, err := more(dir, version, programs, at.UTC())
		if err != nil {
			return err
		}
		if name != "" {
			made = append(made, name)
		}
	}
	packages, err := findPackages(dir, version)
	if err != nil {
		return err
	}
	return writeSums(dir, append(made, packages...))
}

// findPrograms returns the programs in dir, by platform.
func findPrograms(dir string) ([]program, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "edict-*-*"))
	if err != nil {
		return nil, err
	}
	var found []program
	for _, path := range paths {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(path), ".exe"), "-")
		if len(parts) == 3 && !strings.Contains(parts[2], ".") {
			found = append(found, program{path, parts[1], parts[2]})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no programs edict-OS-ARCH: build them first", dir)
	}
	return found, nil
}

// findPackages returns the names of the packages for Debian and RPM of this version that are in dir.
func findPackages(dir, version string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, "edict-server_"+version+"_") && strings.HasSuffix(name, ".deb") || strings.HasPrefix(name, "edict-server-"+version+"-") && strings.HasSuffix(name, ".rpm") {
			found = append(found, name)
		}
	}
	return found, nil
}

// extraFiles reads what goes into archives beside the program, by its name there.
func extraFiles(docs string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range []string{"LICENSE", "README.md"} {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("run it where the module is: %w", err)
		}
		files[name] = content
	}
	if docs == "" {
		return files, nil
	}
	return files, filepath.WalkDir(docs, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(docs, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
}

// writeSums writes SHA256SUMS, as sha256sum -c reads it.
func writeSums(dir string, names []string) error {
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		sum, size, err := sumOf(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, name)
		fmt.Printf("%6.1f MB  %s\n", float64(size)/1e6, filepath.Join(dir, name))
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(b.String()), 0o644)
}

func sumOf(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}
