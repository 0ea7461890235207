package decomposition_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"edict/countries"
	"edict/simulation/decomposition"
)

func TestForms(t *testing.T) {
	for file, text := range map[string]string{
		"a.xml":  `<NODE code="r" desc="Root" shortname="R" color="1,2,3" typevar="2"><NODE code="x" desc="X"/><NODE code="y"/></NODE>`,
		"a.yaml": "code: r\nlabel: Root\nshort_label: R\ncolor: [1, 2, 3]\nchildren:\n  - {code: x, label: X}\n  - code: y\n",
	} {
		n, err := decomposition.Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var leaves []string
		n.Leaves(func(leaf *decomposition.Node) { leaves = append(leaves, leaf.Code+" "+leaf.Name+" "+leaf.ShortName) })
		if n.Code != "r" || n.ShortName != "R" || len(n.Color) != 3 || strings.Join(leaves, ", ") != "x X X, y y y" {
			t.Errorf("%s: %+v with %v", file, n, leaves)
		}
	}
}

func TestWrongForms(t *testing.T) {
	for text, want := range map[string]string{
		`<NODE desc="no code"/>`:         "expected a NODE with a code",
		`<TREE code="x"/>`:               "expected a NODE with a code",
		`<NODE code="x" color="red"/>`:   "not three numbers",
		`<NODE code="x" color="1,2"/>`:   "three numbers",
		`<NODE code="x" typevar="two"/>`: "not a whole number",
		`<NODE code="x">`:                "EOF",
		strings.Repeat(`<NODE code="x">`, 60) + strings.Repeat(`</NODE>`, 60): "levels deep",
	} {
		if _, err := decomposition.Parse("a.xml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

func TestLibrary(t *testing.T) {
	dir := countries.FrancePackage + "/decompositions"
	l, err := decomposition.Open(countries.France(), dir, "/"+dir+"/revdisp.xml")
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := l.Get(""); !ok || n.Code != "revdisp" || len(l.Names()) != 2 {
		t.Errorf("%v %v %v", n, ok, l.Names())
	}
	if _, ok := l.Get("../revdisp"); ok {
		t.Error("a path is a name")
	}
	empty, err := decomposition.Open(fstest.MapFS{}, "p/decompositions", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := empty.Get(""); ok {
		t.Error("an empty library has a decomposition")
	}
}
