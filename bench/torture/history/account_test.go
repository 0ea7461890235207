package history

import (
	"strings"
	"testing"
)

func TestCheckAccount(t *testing.T) {
	changes := []*Change{
		{Span{1, 2}, Acknowledged, "name", 1}, {Span{3, 4}, Acknowledged, "password", 1},
		{Span{5, 6}, Acknowledged, "name", 2}, {Span{7, 0}, Unknown, "name", 3}, {Span{9, 10}, Refused, "name", 4},
	}
	for name, test := range map[string]struct {
		look  *Look
		trail *Trail
		want  Property
	}{
		"as acknowledged":    {look: &Look{Span{11, 12}, "name", 2}},
		"without answer":     {look: &Look{Span{11, 12}, "name", 3}},
		"while it changes":   {look: &Look{Span{4, 6}, "name", 1}},
		"lost":               {look: &Look{Span{11, 12}, "name", 1}, want: Kept},
		"refused":            {look: &Look{Span{11, 12}, "name", 4}, want: Honest},
		"of another":         {look: &Look{Span{11, 12}, "password", 2}, want: Honest},
		"three lines":        {trail: &Trail{Span{11, 12}, 3}},
		"four lines":         {trail: &Trail{Span{11, 12}, 4}},
		"a line is missing":  {trail: &Trail{Span{11, 12}, 2}, want: Kept},
		"a line of nothing":  {trail: &Trail{Span{11, 12}, 5}, want: Honest},
		"before any of them": {trail: &Trail{Span{0, 1}, 0}},
	} {
		h := sound()
		h.Changes = changes
		if test.look != nil {
			h.Looks = []*Look{test.look}
		}
		if test.trail != nil {
			h.Trails = []*Trail{test.trail}
		}
		got := ""
		for _, v := range Check(h) {
			got += v.String()
		}
		if (got == "") != (test.want == "") || !strings.HasPrefix(got, string(test.want)) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
