package decomposition_test

import (
	"fmt"
	"os"
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
		trees, _, err := decomposition.Parse(file, []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		n := trees[""]
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
		if _, _, err := decomposition.Parse("a.xml", []byte(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

// TestByName: nodes listed by name, as others write them, are put together; what is negated is negated all the way down.
func TestByName(t *testing.T) {
	for headline, want := range map[string]string{"": "left", "bills": "bills", "rent": "left", "wealth": "wealth"} {
		l, err := decomposition.Open(os.DirFS("testdata"), "village", "", headline)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := l.Get(""); !ok || n.Code != want {
			t.Errorf("%s: %+v %v, want %s", headline, n, ok, want)
		}
		n, _ := l.Get("left")
		var leaves []string
		n.Leaves(func(leaf *decomposition.Node) { leaves = append(leaves, fmt.Sprint(leaf.Code, leaf.Name, leaf.Minus)) })
		if got := strings.Join(leaves, " "); got != "incomeincomefalse rentRenttrue refundrefundfalse" || n.Name != "What is left" || n.Children[1].ShortName != "Bills" {
			t.Errorf("%s", got)
		}
	}
}

func TestWrongNames(t *testing.T) {
	var deep strings.Builder
	for i := range 20 {
		fmt.Fprintf(&deep, "n%d: {children: [n%d, n%d]}\n", i, i+1, i+1)
	}
	for text, want := range map[string]string{
		"a: {children: [b]}\nb: {children: [a]}\nr: {children: [a]}": "a is a part of itself",
		"a: {children: [{negate: true}]}":                            "a child of a has no name",
		"a: {label: A}":                                              "no node has children",
		deep.String():                                                "more than 10000 nodes",
	} {
		if _, _, err := decomposition.Parse("a.json", []byte(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

func TestLibrary(t *testing.T) {
	dir := countries.FrancePackage + "/decompositions"
	l, err := decomposition.Open(countries.France(), countries.FrancePackage, "/"+dir+"/revdisp.xml", "")
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := l.Get(""); !ok || n.Code != "revdisp" || len(l.Names()) != 2 {
		t.Errorf("%v %v %v", n, ok, l.Names())
	}
	if _, ok := l.Get("../revdisp"); ok {
		t.Error("a path is a name")
	}
	empty, err := decomposition.Open(fstest.MapFS{}, "p", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := empty.Get(""); ok {
		t.Error("an empty library has a decomposition")
	}
}
