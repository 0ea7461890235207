package main

import "testing"

func TestSummary(t *testing.T) {
	for text, want := range map[string][2]int{
		"== 76 passed in 9.21s ==": {76, 0}, "x\n==== 3 failed, 73 passed, 2 warnings in 0.1s ====\n": {73, 3}, "1 error in 2s": {0, 1}, "ModuleNotFoundError": {},
	} {
		if v := summary([]byte(text)); v.passed != want[0] || v.failed != want[1] {
			t.Errorf("%s: %+v", text, v)
		}
	}
}
