// Package docs holds the pages of this directory for programs that show them.
package docs

import "embed"

// Pages are the pages, in Markdown, by their names.
//
//go:embed *.md
var Pages embed.FS
