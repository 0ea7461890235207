// Command build bundles the sources of the console. It is a module of its own so that the server does not depend on the bundler.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// aliases say where libraries are: in the repository, and nowhere else.
var aliases = map[string]string{
	"preact":               "./lib/preact/preact.mjs",
	"preact/hooks":         "./lib/preact/hooks.mjs",
	"preact/jsx-runtime":   "./lib/preact/jsxRuntime.mjs",
	"@preact/signals":      "./lib/signals/signals.mjs",
	"@preact/signals-core": "./lib/signals/signals-core.mjs",
	"edict-client":         "../clients/typescript/src/index.ts",
}

func main() {
	root, err := filepath.Abs("..")
	if err != nil {
		fail(err)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "src/main.tsx", OutputPath: "console"},
			{InputPath: "style/console.css", OutputPath: "console"},
		},
		Outdir: "bundle", Write: true, Bundle: true, Splitting: true, ChunkNames: "[name]", // more.js is loaded later, chunk.js is what both need
		Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", Alias: aliases,
		LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		os.Exit(1)
	}
	for _, name := range []string{"index.html", "icon.svg"} {
		if err := copyFile(filepath.Join(root, "src", name), filepath.Join(root, "bundle", name)); err != nil {
			fail(err)
		}
	}
}

func copyFile(from, to string) error {
	body, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, body, 0o644)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
