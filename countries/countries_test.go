package countries

import (
	"encoding/xml"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const parametersDir = FrancePackage + "/parameters"

func TestFranceHoldsWhatALoaderNeeds(t *testing.T) {
	france := France()
	for _, name := range []string{
		"pyproject.toml",
		FrancePackage + "/__init__.py",
		FrancePackage + "/entities.py",
		FrancePackage + "/suggest.py",
		FrancePackage + "/variables/__init__.py",
		FrancePackage + "/variables/revenu_disponible.py",
		FrancePackage + "/reforms/__init__.py",
		FrancePackage + "/reforms/allocation_unique.py",
		FrancePackage + "/reforms/tranche_superieure.py",
		FrancePackage + "/decompositions/revdisp.xml",
		FrancePackage + "/decompositions/revdisp_court.yaml",
		parametersDir + "/index.yaml",
		parametersDir + "/impot_revenu/bareme.yaml",
	} {
		if info, err := fs.Stat(france, name); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if info.Size() == 0 && path.Base(name) != "__init__.py" {
			t.Errorf("%s is empty", name)
		}
	}
}

func TestFranceHoldsNothingElse(t *testing.T) {
	allowed := regexp.MustCompile(`^[a-z0-9_]+\.(py|yaml|xml|toml)$`)
	for _, name := range filesBelow(t, ".") {
		if !allowed.MatchString(path.Base(name)) {
			t.Errorf("%s: a file name is lower case words and one of .py .yaml .xml .toml", name)
		}
	}
}

func TestEveryParameterDirectoryIsDescribed(t *testing.T) {
	for _, name := range filesBelow(t, parametersDir) {
		index := path.Join(path.Dir(name), "index.yaml")
		if _, err := fs.Stat(France(), index); err != nil {
			t.Errorf("%s is missing: it describes the node that %s belongs to", index, name)
		}
		if description := scalar(child(document(t, name), "description")); description == "" {
			t.Errorf("%s has no description", name)
		}
	}
}

func TestEveryParameterValueHasALegalReference(t *testing.T) {
	values := 0
	for _, name := range filesBelow(t, parametersDir) {
		for _, dated := range datedValues(document(t, name)) {
			values++
			checkDatedValue(t, name, dated[0], dated[1])
		}
	}
	if values < 500 {
		t.Errorf("found %d dated values, expected at least 500: is the walk of the parameter files broken?", values)
	}
}

func checkDatedValue(t *testing.T, name string, date, value *yaml.Node) {
	t.Helper()
	references := child(child(value, "metadata"), "reference")
	if references == nil || references.Kind != yaml.SequenceNode || len(references.Content) == 0 {
		t.Errorf("%s:%d: the value of %s has no metadata.reference list", name, date.Line, date.Value)
		return
	}
	linked := false
	for _, reference := range references.Content {
		if scalar(child(reference, "title")) == "" {
			t.Errorf("%s:%d: a reference without title", name, reference.Line)
		}
		if href := scalar(child(reference, "href")); href != "" {
			linked = true
			if !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") {
				t.Errorf("%s:%d: href %q is not an address", name, reference.Line, href)
			}
		}
	}
	if !linked {
		t.Errorf("%s:%d: no reference of %s has an address", name, date.Line, date.Value)
	}
}

func TestFranceHasAtLeastSixtyTestCases(t *testing.T) {
	cases := 0
	for _, name := range filesBelow(t, "tests") {
		for _, c := range document(t, name).Content {
			cases++
			for _, key := range []string{"name", "description", "period", "input", "output"} {
				if child(c, key) == nil {
					t.Errorf("%s:%d: the case has no %s", name, c.Line, key)
				}
			}
		}
	}
	if cases < 60 {
		t.Errorf("%d test cases, want at least 60", cases)
	}
}

func TestDecompositionLeavesAreVariables(t *testing.T) {
	variables := variableNames(t)
	leaves := append(xmlLeaves(t, FrancePackage+"/decompositions/revdisp.xml"),
		yamlLeaves(document(t, FrancePackage+"/decompositions/revdisp_court.yaml"))...)
	if len(leaves) < 15 {
		t.Fatalf("found only %d leaves: %v", len(leaves), leaves)
	}
	for _, leaf := range leaves {
		if !variables[leaf] {
			t.Errorf("decomposition leaf %q is not a variable of %s", leaf, FrancePackage)
		}
	}
}

// filesBelow lists the files of the French legislation below dir.
func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(France(), dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no files below %s", dir)
	}
	return names
}

// document parses a YAML file of the French legislation and returns its root value.
func document(t *testing.T, name string) *yaml.Node {
	t.Helper()
	text, err := fs.ReadFile(France(), name)
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(root.Content) != 1 {
		t.Fatalf("%s holds %d documents, want 1", name, len(root.Content))
	}
	return root.Content[0]
}

// child returns the value of a key of a mapping, nil if there is none.
func child(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func scalar(node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode {
		return ""
	}
	return node.Value
}

var isDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// datedValues finds every (date, value) pair below a node.
func datedValues(node *yaml.Node) [][2]*yaml.Node {
	var found [][2]*yaml.Node
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if isDate.MatchString(node.Content[i].Value) {
				found = append(found, [2]*yaml.Node{node.Content[i], node.Content[i+1]})
			}
		}
	}
	for _, inner := range node.Content {
		found = append(found, datedValues(inner)...)
	}
	return found
}

func TestEveryVariableIsDescribed(t *testing.T) {
	described := 0
	for _, file := range filesBelow(t, FrancePackage+"/variables") {
		text, err := fs.ReadFile(France(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range strings.Split(string(text), "\nclass ")[1:] {
			name, body, isVariable := strings.Cut(class, "(Variable):\n")
			if !isVariable {
				continue
			}
			described++
			attributes, _, _ := strings.Cut(body, "\n\n")
			wanted := []string{"label", "reference"}
			if strings.Contains(attributes, "value_type = float") {
				wanted = append(wanted, "unit")
			}
			for _, attribute := range wanted {
				if !strings.Contains(attributes, "    "+attribute+" = ") {
					t.Errorf("%s: variable %s has no %s", file, name, attribute)
				}
			}
		}
	}
	if described != len(variableNames(t)) {
		t.Errorf("looked at %d variables of %d", described, len(variableNames(t)))
	}
}

var variableClass = regexp.MustCompile(`(?m)^class (\w+)\(Variable\):`)

func variableNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range filesBelow(t, FrancePackage+"/variables") {
		text, err := fs.ReadFile(France(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range variableClass.FindAllSubmatch(text, -1) {
			if name := string(match[1]); names[name] {
				t.Errorf("%s: variable %s is declared twice", file, name)
			} else {
				names[name] = true
			}
		}
	}
	return names
}

// xmlLeaves returns the codes of the NODE elements without children.
func xmlLeaves(t *testing.T, name string) []string {
	t.Helper()
	file, err := France().Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var leaves []string
	decoder := xml.NewDecoder(file)
	lastOpened := ""
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return leaves
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch element := token.(type) {
		case xml.StartElement:
			lastOpened = code(element)
		case xml.EndElement:
			if lastOpened != "" {
				leaves = append(leaves, lastOpened)
			}
			lastOpened = ""
		}
	}
}

func code(element xml.StartElement) string {
	for _, attribute := range element.Attr {
		if attribute.Name.Local == "code" {
			return attribute.Value
		}
	}
	return ""
}

func yamlLeaves(node *yaml.Node) []string {
	children := child(node, "children")
	if children == nil {
		return []string{scalar(child(node, "code"))}
	}
	var leaves []string
	for _, inner := range children.Content {
		leaves = append(leaves, yamlLeaves(inner)...)
	}
	return leaves
}
