package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// writeArchive writes edict-VERSION-OS-ARCH.tar.gz, or .zip for Windows, with everything in a directory of that name.
func writeArchive(dir, version string, p program, extras map[string][]byte, at time.Time) (string, error) {
	content, err := os.ReadFile(p.path)
	if err != nil {
		return "", err
	}
	base := fmt.Sprintf("edict-%s-%s-%s", version, p.os, p.arch)
	files := maps.Clone(extras)
	files[p.name()] = content
	name, write := base+".tar.gz", writeTarGz
	if p.os == "windows" {
		name, write = base+".zip", writeZip
	}
	out, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	if err := write(out, base, p.name(), files, at); err != nil {
		_ = out.Close() // the first error is the one to tell
		return "", err
	}
	return name, out.Close()
}

// modeOf is the mode of a file: the program can be run.
func modeOf(name, program string) fs.FileMode {
	if name == program {
		return 0o755
	}
	return 0o644
}

func writeTarGz(w io.Writer, base, program string, files map[string][]byte, at time.Time) error {
	packed := gzip.NewWriter(w)
	if err := writeTar(packed, base+"/", program, files, at); err != nil {
		return err
	}
	return packed.Close()
}

// writeTar writes files in the order of their names, below a prefix.
func writeTar(w io.Writer, prefix, program string, files map[string][]byte, at time.Time) error {
	archive := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := tar.Header{Typeflag: tar.TypeReg, Name: prefix + name, Size: int64(len(files[name])), Mode: int64(modeOf(name, program)), ModTime: at, Format: tar.FormatPAX}
		if err := archive.WriteHeader(&header); err != nil {
			return err
		}
		if _, err := archive.Write(files[name]); err != nil {
			return err
		}
	}
	return archive.Close()
}

func writeZip(w io.Writer, base, program string, files map[string][]byte, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := zip.FileHeader{Name: base + "/" + name, Method: zip.Deflate, Modified: at}
		header.SetMode(modeOf(name, program))
		entry, err := archive.CreateHeader(&header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(files[name]); err != nil {
			return err
		}
	}
	return archive.Close()
}
