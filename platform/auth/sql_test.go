package auth

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// statements reads the constants of sql.go, so that none can be forgotten.
func statements(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "sql.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	var text func(ast.Expr) string
	text = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			return strings.Trim(e.Value, `"`)
		case *ast.BinaryExpr:
			return text(e.X) + text(e.Y)
		case *ast.Ident:
			return found[e.Name]
		}
		t.Fatalf("a statement of sql.go is not text: %T", e)
		return ""
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			found[spec.Names[0].Name] = text(spec.Values[0])
		}
		return true
	})
	return found
}

func TestQueryPlans(t *testing.T) {
	w := newWorld(t, Options{})
	all := statements(t)
	for _, columns := range []string{"sqlUserColumns", "sqlSessionColumns", "sqlAuditColumns", "sqlClientColumns"} {
		delete(all, columns)
	}
	if len(all) < 25 {
		t.Fatalf("only %d statements found", len(all))
	}
	// These read a whole table on purpose: there are as many keys as rotations, a thousand clients at most, and one row is enough.
	whole := map[string]bool{"sqlKeyAll": true, "sqlUserAny": true, "sqlClientAll": true, "sqlClientCount": true}
	for name, query := range all {
		if strings.Contains(query, "LIMIT ?") {
			t.Errorf("%s is planned again each time it is run: SQLite looks at the value of a bare parameter there; write LIMIT +?", name)
		}
		args := make([]any, strings.Count(query, "?"))
		rows, err := w.store.Read(t.Context()).Query("EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			// A scan of a partial index reads what it holds: users being removed.
			bad := strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "auth_user_removed") && step != "SCAN CONSTANT ROW"
			if (bad || strings.Contains(step, "TEMP B-TREE")) && !whole[name] {
				t.Errorf("%s: %s", name, step)
			}
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}
