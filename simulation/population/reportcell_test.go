package population

import (
	"strings"
	"testing"
)

// TestReportCells: no text of a report is a formula for a spreadsheet, and numbers stay numbers.
func TestReportCells(t *testing.T) {
	f := Findings{Label: `=HYPERLINK("https://evil.example")`, By: []Split{{Column: "@zone", Values: []SplitValue{{Value: "-5"}, {Value: "+cmd|' /C calc'!A0"}, {Value: "-"}, {Value: "\tx"}}}}}
	var out strings.Builder
	if err := f.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`,label,"'=HYPERLINK(""`, "'@zone,-5,", "'@zone,'+cmd|' /C calc'!A0,", "'@zone,-,", "'@zone,'\tx,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}
}
