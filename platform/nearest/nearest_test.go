package nearest_test

import (
	"slices"
	"strings"
	"testing"

	"edict/platform/nearest"
)

func TestName(t *testing.T) {
	known := []string{"channels", "devices", "messages", "Zürich", "ab"}
	for word, want := range map[string]string{
		"chanels":  "channels",
		"chanenls": "channels", // a swap
		"MESSAGES": "messages",
		"message":  "messages",
		"Zurich":   "Zürich",
		"divces":   "devices",
		"ba":       "ab",
		"channels": "channels",
		"zebra":    "",
		"":         "",
	} {
		if got := nearest.Name(word, slices.Values(known)); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
	if got := nearest.Name("axc", slices.Values([]string{"abc", "axd"})); got != "abc" {
		t.Errorf("of two that are equally close %q is taken, want the first", got)
	}
}

func TestTypo(t *testing.T) {
	known := []string{"channelName", "publishPermission", "size", "userId", "sort_order", "messageType", "contentType", "tag"}
	for word, want := range map[string]string{
		"publishPermision":    "publishPermission",
		"publisherPermission": "publishPermission",
		"PublishPermission":   "publishPermission",
		"publish_permission":  "publishPermission",
		"siize":               "size",
		"SIZE":                "size",
		"isze":                "size",
		"user_id":             "userId",
		"user-id":             "userId",
		"sortOrder":           "sort_order",
		"tags":                "tag",
		"id":                  "userId",
		"ID":                  "userId",
		"permission":          "publishPermission",
		"order":               "sort_order",

		"type":         "", // the last word of two
		"size":         "",
		"limit":        "",
		"channelTitle": "",
		"since":        "",
		"t":            "",
		"_":            "",
		"":             "",
		"-":            "",
		"tagMatch":     "",
		"metadata":     "",
	} {
		if got := nearest.Typo(word, slices.Values(known)); got != want {
			t.Errorf("%q is a typing error of %q, want %q", word, got, want)
		}
	}
}

// TestNoLetters: nothing is a typing error of the one name of a single word.
func TestNoLetters(t *testing.T) {
	for _, word := range []string{"", "_", "-"} {
		if got := nearest.Typo(word, slices.Values([]string{"personal", "userId"})); got != "" {
			t.Errorf("%q is a typing error of %q", word, got)
		}
	}
}

// TestLongNames: what a stranger sends costs no more than names have letters.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	known := slices.Values([]string{long[1:], "aaa"})
	if got := nearest.Name(long, known) + nearest.Typo(long, known); got != "" {
		t.Errorf("%d letters suggest %.20q", len(long), got)
	}
}
