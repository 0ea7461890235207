package pyindex

import (
	"cmp"
	"slices"
	"strings"
)

// File is one file of a project in an index.
type File struct {
	Name    string // of the file
	Version Version
	Wheel   bool   // else a source distribution
	URL     string // absolute; http, https or file
	Hashes  map[string]string
	Yanked  bool
	Reason  string // why it was yanked, when they say

	index int // which index it comes from; earlier ones win
}

// parseFile reads a file's name. Files that edict can use are source distributions and wheels without compiled parts.
func parseFile(name, project string) (File, bool) {
	f := File{Name: name}
	version := ""
	switch {
	case strings.ContainsAny(name, `/\`):
		return File{}, false
	case strings.HasSuffix(name, ".whl"):
		parts := strings.Split(strings.TrimSuffix(name, ".whl"), "-")
		if n := len(parts); n != 5 && n != 6 || parts[n-1] != "any" || parts[n-2] != "none" || Normalize(parts[0]) != project {
			return File{}, false
		}
		f.Wheel, version = true, parts[1]
	default:
		stem, ok := sdistStem(name)
		if !ok {
			return File{}, false
		}
		if version, ok = versionBehind(stem, project); !ok {
			return File{}, false
		}
	}
	v, err := ParseVersion(version)
	if err != nil {
		return File{}, false
	}
	f.Version = v
	return f, true
}

func sdistStem(name string) (string, bool) {
	for _, suffix := range []string{".tar.gz", ".tgz", ".zip"} {
		if stem, ok := strings.CutSuffix(name, suffix); ok {
			return stem, true
		}
	}
	return "", false
}

// versionBehind takes a project's name off; both may contain hyphens, so every one of them is tried.
func versionBehind(stem, project string) (string, bool) {
	for i := range stem {
		if stem[i] == '-' && Normalize(stem[:i]) == project {
			return stem[i+1:], true
		}
	}
	return "", false
}

// Choose picks the file of the latest version in a range: a wheel rather than a source distribution, releases rather than
// what comes before them, and nothing that was yanked unless the range names exactly that version.
func Choose(files []File, want Specifier) (File, bool) {
	_, exact := want.Exact()
	allowed := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Yanked && !exact || !want.Allows(f.Version) })
	released := slices.DeleteFunc(slices.Clone(allowed), func(f File) bool { return f.Version.PreRelease() })
	if len(released) > 0 && !want.wantsPreReleases() {
		allowed = released
	}
	if len(allowed) == 0 {
		return File{}, false
	}
	return slices.MaxFunc(allowed, func(a, b File) int {
		return cmp.Or(a.Version.Compare(b.Version), compareBool(a.Wheel, b.Wheel), cmp.Compare(b.index, a.index), cmp.Compare(a.Name, b.Name))
	}), true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Versions lists the versions that files have, latest first.
func Versions(files []File) []Version {
	var out []Version
	for _, f := range files {
		if !f.Yanked && !slices.ContainsFunc(out, func(v Version) bool { return v.Compare(f.Version) == 0 }) {
			out = append(out, f.Version)
		}
	}
	slices.SortFunc(out, func(a, b Version) int { return b.Compare(a) })
	return out
}
