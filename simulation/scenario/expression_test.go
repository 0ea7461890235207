package scenario

import (
	"strings"
	"testing"
)

func TestEvaluate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"12 * 1500", "18000"}, {"5000 / 12", "416.6666666666667"}, {"7//2", "3"}, {"-7//2", "-4"}, {"7%3", "1"}, {"-7%3", "2"},
		{"2**3", "8"}, {"2**-1", "0.5"}, {"-2**2", "-4"}, {"2**3**2", "512"}, {"1e6", "1000000.0"}, {"(1+2)*3", "9"},
		{"1_000", "1000"}, {"0.1+0.2", "0.30000000000000004"}, {"3000000*1000", "3000000000"}, {"1.", "1.0"}, {"-5", "-5"},
		{"--5", "5"}, {"2017-10", "2007"}, {"0x10", "16"}, {"100 / 1.18", "84.74576271186442"}, {"1.5 // 1", "1.0"},
		{"5.5 % 2", "1.5"}, {"10 / 4 * 2", "5.0"}, {"1\n", "1"}, {"1e-3*2", "0.002"},
		{"100 / sqrt(3)", "57.73502691896258"}, {"sqrt(4) ** 2", "4.0"}, {"2 * sqrt(2 + 2)", "4.0"}, {"sqrt", "none"}, {"sqrt 4", "none"}, {"sqrts(4)", "none"},
		{"floor(295 - 300 * 0.005) * 12", "3516.0"}, {"round(0.0045 * (0.6888 - 0.45), 5)", "0.00107"}, {"round(200 + 60.59 - 176.57105, 2) - 5", "79.02"}, {"round(2.5)", "2.0"}, {"round(123.456, -1)", "120.0"},
		{"floor(-0.5)", "-1.0"}, {"ceil(1.2)", "2.0"}, {"trunc(-2.5)", "-2.0"}, {"abs(-2.5)", "2.5"}, {"round(1, 2", "none"}, {"round(1, 2, 3)", "none"}, {"floor(1, 2)", "none"}, {"round(1, 0.5)", "none"},
		{"round(1, 400)", "none"}, {"floor()", "none"}, {"floor", "none"}, {"floored(1)", "none"}, {"True(1)", "none"}, {"abs(10/0)", "error"},
		{strings.Repeat("abs(", 5000) + "1" + strings.Repeat(")", 5000), "none"}, {"2020-01-01", "none"}, {"", "none"}, {"abc", "none"}, {"1,2", "none"}, {"12 €", "none"}, {"1 000", "none"}, {" 3", "none"},
		{"(1", "none"}, {"1)", "none"}, {"5e", "none"}, {"010", "none"}, {"*", "none"},
		{"10/0", "error"}, {"9999999999*9999999999", "error"}, {"10**100", "error"},
		{strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000), "none"}, {strings.Repeat("-", 5000) + "1", "none"},
	} {
		v, ok, err := Evaluate(c.text)
		got := "none"
		switch {
		case err != nil:
			got = "error"
		case ok:
			got = v.Format(0)
		}
		if got != c.want {
			t.Errorf("%.40q is %s (%v), want %s", c.text, got, err, c.want)
		}
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add("12 * 1500")
	f.Add("2**(3-1)//1e3")
	f.Fuzz(func(_ *testing.T, text string) { _, _, _ = Evaluate(text) })
}
