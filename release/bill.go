package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// component is a part of the program, as CycloneDX describes it.
type component struct {
	Type    string     `json:"type"`
	Ref     string     `json:"bom-ref"`
	Name    string     `json:"name"`
	Version string     `json:"version"`
	PURL    string     `json:"purl,omitempty"`
	Hashes  []sumEntry `json:"hashes,omitempty"`
}

type sumEntry struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// writeBill writes the bill of materials: the modules that are in the programs, as the programs themselves say, and the Go that built them.
func writeBill(dir, version string, programs []program, at time.Time) (string, error) {
	parts := map[string]component{}
	var refs []string
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p.path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.path, err)
		}
		toolchain := component{Type: "framework", Ref: "pkg:golang/stdlib@" + info.GoVersion, Name: "stdlib", Version: info.GoVersion, PURL: "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go")}
		for _, c := range append([]component{toolchain}, modules(info)...) {
			if _, there := parts[c.Ref]; !there {
				parts[c.Ref] = c
				refs = append(refs, c.Ref)
			}
		}
	}
	components := make([]component, 0, len(refs))
	for _, ref := range refs {
		components = append(components, parts[ref])
	}
	bill := map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp": at.Format(time.RFC3339),
			"component": component{Type: "application", Ref: "edict", Name: "edict", Version: version},
		},
		"components":   components,
		"dependencies": []any{map[string]any{"ref": "edict", "dependsOn": refs}},
	}
	text, err := json.MarshalIndent(bill, "", "  ")
	if err != nil {
		return "", err
	}
	name := "edict-" + version + ".cdx.json"
	return name, os.WriteFile(filepath.Join(dir, name), append(text, '\n'), 0o644)
}

// modules are those that a program was built from.
func modules(info *buildinfo.BuildInfo) []component {
	var found []component
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		ref := "pkg:golang/" + m.Path + "@" + m.Version
		c := component{Type: "library", Ref: ref, Name: m.Path, Version: m.Version, PURL: ref}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == 32 {
			c.Hashes = []sumEntry{{"SHA-256", hex.EncodeToString(sum)}}
		}
		found = append(found, c)
	}
	return found
}
