package pyindex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NotFoundError says that no index has a project, or none of its versions is wanted.
type NotFoundError struct {
	Requirement Requirement
	Places      []string  // that were asked, without credentials
	Known       []Version // of the project, latest first; none if there is no such project
	NoIndex     bool      // only directories were looked in, because no index is configured
}

// Error names what there is instead.
func (e *NotFoundError) Error() string {
	asked := strings.Join(e.Places, ", ")
	switch {
	case e.NoIndex:
		return fmt.Sprintf("there is no %s in %s, and %s", e.Requirement, asked, ErrNoIndex)
	case len(e.Known) == 0:
		return fmt.Sprintf("there is no project %s in %s that edict can use", e.Requirement.Name, asked)
	}
	return fmt.Sprintf("there is no version %s of %s in %s; there are %s", e.Requirement.Range, e.Requirement.Name, asked, listed(e.near()))
}

// near gives the known versions around the one that was asked for, or the latest.
func (e *NotFoundError) near() (versions []Version, more int) {
	const most = 6
	at := 0
	if want, ok := e.Requirement.Range.Exact(); ok {
		at, _ = slices.BinarySearchFunc(e.Known, want, func(v, w Version) int { return w.Compare(v) })
	}
	from := max(0, min(at-most/2, len(e.Known)-most))
	shown := e.Known[from:min(from+most, len(e.Known))]
	return shown, len(e.Known) - len(shown)
}

func listed(versions []Version, more int) string {
	words := make([]string, len(versions))
	for i, v := range versions {
		words[i] = v.String()
	}
	text := strings.Join(words, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Find picks the file of a project that best fits a requirement, out of everything that the configuration names.
func (c *Client) Find(ctx context.Context, want Requirement) (File, error) {
	files, places, err := c.files(ctx, want.Name)
	if err != nil {
		return File{}, err
	}
	if c.config.PreReleases {
		if f, ok := chooseAny(files, want.Range); ok {
			return f, nil
		}
	}
	f, ok := Choose(files, want.Range)
	if !ok {
		return File{}, &NotFoundError{want, places, Versions(files), len(c.config.Indexes) == 0}
	}
	return f, nil
}

// chooseAny is Choose where what comes before a release is as good as a release.
func chooseAny(files []File, want Specifier) (File, bool) {
	var best File
	for _, f := range files {
		if chosen, ok := Choose([]File{f}, want); ok && (best.URL == "" || chosen.Version.Compare(best.Version) > 0) {
			best = chosen
		}
	}
	return best, best.URL != ""
}

// files lists what all places have of a project. A place that does not know it is passed over, one that fails is an error:
// else a package could come from elsewhere than it was meant to.
func (c *Client) files(ctx context.Context, project string) (files []File, places []string, err error) {
	add := func(place string, found []File, err error) error {
		places = append(places, Redact(place))
		if err != nil && !notThere(err) {
			return err
		}
		for _, f := range found {
			f.index = len(places)
			files = append(files, f)
		}
		return nil
	}
	for _, place := range c.config.FindLinks {
		found, err := c.links(ctx, place, project)
		if err := add(place, found, err); err != nil {
			return nil, nil, err
		}
	}
	for _, place := range c.config.Indexes {
		found, err := c.page(ctx, strings.TrimSuffix(place, "/")+"/"+project+"/", project)
		if err := add(place, found, err); err != nil {
			return nil, nil, err
		}
	}
	return files, places, nil
}

// page reads the page of a project.
func (c *Client) page(ctx context.Context, address, project string) (files []File, err error) {
	if dir, ok := local(address); ok {
		return localPage(filepath.Join(dir, "index.html"), project)
	}
	err = c.get(ctx, address, acceptPage, maxPage, func(body io.Reader, kind string, from *url.URL) error {
		files, err = parsePage(body, kind, project, from)
		return err
	})
	return files, err
}

// links reads a place of find-links: a directory, or a page with links to files of many projects.
func (c *Client) links(ctx context.Context, place, project string) ([]File, error) {
	dir, ok := local(place)
	if !ok {
		if err := c.check(place); err != nil {
			return nil, err
		}
		return c.page(ctx, place, project)
	}
	if strings.HasSuffix(dir, ".html") {
		return localPage(dir, project)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		if f, ok := parseFile(e.Name(), project); ok && e.Type().IsRegular() {
			abs, err := filepath.Abs(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			f.URL = fileURL(abs)
			files = append(files, f)
		}
	}
	return files, nil
}

func fileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}).String()
}

func localPage(file, project string) ([]File, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	from, err := url.Parse(fileURL(abs))
	if err != nil {
		return nil, err
	}
	return parseHTML(&bounded{r: f, left: maxPage}, project, from)
}

// errNoHash says that nothing tells what a file must contain.
var errNoHash = errors.New("the index gives no hash of it, so that it cannot be checked: give one with --hash sha256:…")
