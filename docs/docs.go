// Package docs holds the documentation for users, so that programs can show it. Pages for maintainers are in internals/.
package docs

import "embed"

// Pages are the pages in Markdown, by path: "README.md" is the start page, "guides/install.md" one of a part.
//
//go:embed README.md start/*.md guides/*.md reference/*.md concepts/*.md
var Pages embed.FS
