package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// An image for containers as an OCI layout in a tar file, for Linux on each architecture: the program, the authorities that other servers are
// trusted by (buckets, webhooks, push services, issuers), a directory for data and one for temporary files. No daemon takes part: podman load and
// skopeo copy oci-archive: read it.

const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"

	imageUser = "65532:65532" // nobody in particular, and not root

	authoritiesFile = "etc/ssl/certs/ca-certificates.crt" // where Go and everybody else looks
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// layout collects the blobs of an image.
type layout struct{ files map[string][]byte }

func (l *layout) add(mediaType string, content []byte) descriptor {
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])
	l.files["blobs/sha256/"+digest] = content
	return descriptor{MediaType: mediaType, Digest: "sha256:" + digest, Size: len(content)}
}

func (l *layout) addJSON(mediaType string, value any) (descriptor, error) {
	content, err := json.Marshal(value)
	return l.add(mediaType, content), err
}

// writeImage writes edict-server-VERSION-image.tar; "" if there is no program for Linux.
func writeImage(dir, version string, programs []program, at time.Time) (string, error) {
	l := layout{files: map[string][]byte{"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}}
	var manifests []descriptor
	for _, p := range programs {
		if p.os != "linux" {
			continue
		}
		m, err := l.addManifest(version, p, at)
		if err != nil {
			return "", err
		}
		manifests = append(manifests, m)
	}
	if len(manifests) == 0 {
		return "", nil
	}
	inner, err := l.addJSON(indexType, map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests})
	if err != nil {
		return "", err
	}
	inner.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": "docker.io/library/edict-server:" + version}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": []descriptor{inner}})
	if err != nil {
		return "", err
	}
	l.files["index.json"] = index
	name := "edict-server-" + version + "-image.tar"
	var out bytes.Buffer
	if err := writeTar(&out, "", "", l.files, at); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o644)
}

// addManifest adds the image of one architecture.
func (l *layout) addManifest(version string, p program, at time.Time) (descriptor, error) {
	content, err := os.ReadFile(p.path)
	if err != nil {
		return descriptor{}, err
	}
	plain, err := imageLayer(content, at)
	if err != nil {
		return descriptor{}, err
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(plain); err != nil {
		return descriptor{}, err
	}
	if err := zip.Close(); err != nil {
		return descriptor{}, err
	}
	diff := sha256.Sum256(plain)
	config, err := l.addJSON(configType, imageConfig(version, p.arch, "sha256:"+hex.EncodeToString(diff[:]), at))
	if err != nil {
		return descriptor{}, err
	}
	layer := l.add(layerType, packed.Bytes())
	m, err := l.addJSON(manifestType, map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []descriptor{layer}})
	m.Platform = &platform{p.arch, "linux"}
	return m, err
}

// imageConfig says how the image is run: as in deploy/Dockerfile.
func imageConfig(version, arch, diff string, at time.Time) map[string]any {
	return map[string]any{
		"architecture": arch, "os": "linux", "created": at.Format(time.RFC3339),
		"config": map[string]any{
			"User": imageUser, "Entrypoint": []string{"/edict"}, "Cmd": []string{"serve"}, "WorkingDir": "/data",
			"Env":          []string{"EDICT_LISTEN=0.0.0.0:8080", "EDICT_DATA=/data"},
			"ExposedPorts": map[string]any{"8080/tcp": map[string]any{}}, "Volumes": map[string]any{"/data": map[string]any{}},
			"Labels": map[string]string{"org.opencontainers.image.title": "edict-server", "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "Apache-2.0"},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{diff}},
		"history": []any{map[string]any{"created": at.Format(time.RFC3339), "created_by": "edict release"}},
	}
}

// imageLayer is the file system of the image.
func imageLayer(program []byte, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	entries := []struct {
		header  tar.Header
		content []byte
	}{
		{tar.Header{Typeflag: tar.TypeDir, Name: "data/", Mode: 0o700, Uid: 65532, Gid: 65532}, nil},
		{tar.Header{Typeflag: tar.TypeReg, Name: "edict", Mode: 0o755}, program},
		{tar.Header{Typeflag: tar.TypeDir, Name: "etc/", Mode: 0o755}, nil},
		{tar.Header{Typeflag: tar.TypeDir, Name: "etc/ssl/", Mode: 0o755}, nil},
		{tar.Header{Typeflag: tar.TypeDir, Name: "etc/ssl/certs/", Mode: 0o755}, nil},
		{tar.Header{Typeflag: tar.TypeReg, Name: authoritiesFile, Mode: 0o644}, authorities()},
		{tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777}, nil},
	}
	for _, e := range entries {
		e.header.Size, e.header.ModTime, e.header.Format = int64(len(e.content)), at, tar.FormatPAX
		if err := archive.WriteHeader(&e.header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

// authorities are those that Mozilla trusts, in the state of go.mod, as PEM. One that is trusted only for what it issued before some day is left
// out: the file could not say so.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
		}
	}
	return out.Bytes()
}
