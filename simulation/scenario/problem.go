package scenario

import (
	"errors"
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Path leads to the place: keys of objects, positions of lists as numbers.
	Path []string
	// Msg is for the person who wrote the document.
	Msg string
	// NotFound says that a name is not known, which web interfaces answer with another status.
	NotFound bool
}

// Problems is everything that was found wrong with a document, as an error. It is never empty.
type Problems []Problem

// Error lists the problems, one per line, each behind its path.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		if len(p.Path) == 0 {
			lines[i] = p.Msg
		} else {
			lines[i] = strings.Join(p.Path, "/") + ": " + p.Msg
		}
	}
	return strings.Join(lines, "\n")
}

// Tree returns the messages in a tree of mappings that mirrors the document. Where two problems have the same place the
// first is kept; where one place lies within another the message about the whole is kept.
func (ps Problems) Tree() legislation.Data {
	root := mapping()
	for _, p := range ps {
		if len(p.Path) == 0 {
			return legislation.DataOf(vector.PyStr(p.Msg))
		}
		plant(root, p)
	}
	return legislation.Data{Kind: legislation.Mapping, Map: root}
}

func plant(node *legislation.Ordered[legislation.Data], p Problem) {
	for _, step := range p.Path[:len(p.Path)-1] {
		child, ok := node.Get(step)
		if ok && child.Kind != legislation.Mapping {
			return
		}
		if !ok {
			child = legislation.Data{Kind: legislation.Mapping, Map: mapping()}
			node.Set(step, child)
		}
		node = child.Map
	}
	last := p.Path[len(p.Path)-1]
	if known, ok := node.Get(last); !ok || known.Kind == legislation.Mapping {
		node.Set(last, legislation.DataOf(vector.PyStr(p.Msg)))
	}
}

func mapping() *legislation.Ordered[legislation.Data] {
	return legislation.NewOrdered[legislation.Data]()
}

// mostText is how much of a name or a message is shown: documents may have very long ones.
const mostText = 4 << 10

// clipped is a problem without what nobody would read to the end.
func (p Problem) clipped() Problem {
	p.Msg = clip(p.Msg)
	for i, step := range p.Path {
		if len(step) > mostText {
			p.Path = slices.Clone(p.Path)
			p.Path[i] = clip(step)
		}
	}
	return p
}

func clip(text string) string {
	if len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}

// AsProblems finds the problems in an error.
func AsProblems(err error) (Problems, bool) {
	return errors.AsType[Problems](err)
}

func problem(msg string, path ...string) error {
	return Problems{Problem{Path: slices.Clone(path), Msg: oneLine(msg)}.clipped()}
}

// oneLine is a message without line breaks, which values may bring with them.
func oneLine(msg string) string { return strings.ReplaceAll(strings.Trim(msg, "\n"), "\n", " ") }

func notFound(msg string, path ...string) error {
	return Problems{Problem{Path: slices.Clone(path), Msg: oneLine(msg), NotFound: true}.clipped()}
}
