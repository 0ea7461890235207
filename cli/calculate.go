package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/simapi"
)

type calculateCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	DataConfig    `embed:"" group:"server"`
	Timeout       time.Duration `default:"10m" placeholder:"TIME" help:"Timeout of the computation; loading the law does not count."`
	Why           string        `placeholder:"VARIABLE" help:"Print how this figure is computed, as a tree. Write VARIABLE, VARIABLE<PERIOD> or VARIABLE<PERIOD>[INDEX]; append /BRANCH to open a branch."`
	Depth         int           `default:"2" placeholder:"N" help:"Number of levels that --why opens, up to 20."`
	Language      string        `placeholder:"LANG" help:"Language of the labels that --why prints, such as en. Defaults to the law's own."`
	File          string        `arg:"" help:"File with a household or a body of /api/1/calculate, as JSON or YAML. - reads standard input."`
}

// maxDocument bounds the file that is read.
const maxDocument = 256 << 20

// Run answers a body of /api/1/calculate as the server does, and any other document by computing its nulls.
func (c *calculateCmd) Run(ctx context.Context, env *Env) error {
	if c.Timeout <= 0 {
		return &UsageError{"--timeout: must be more than nothing"}
	}
	doc, err := c.read(env)
	if err != nil {
		return err
	}
	c.doubt = func(text string) { fmt.Fprintln(env.Stderr, "edict:", text) }
	pkg, system, err := c.system(ctx, c.DataConfig)
	if err != nil {
		return err
	}
	if texts := system.Translations(); c.Language != "" && texts.Match(c.Language) == "" {
		return &UsageError{fmt.Sprintf("--language: the law has no labels in %q; %s", c.Language, orNone(texts.Languages()))}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if c.Why != "" {
		return c.explain(ctx, env, pkg, system, doc)
	}
	if _, ok := doc.Map.Get("scenarios"); ok {
		return c.request(ctx, env, pkg, system, doc)
	}
	err = scenario.Calculate(ctx, system, doc, engine.Options{})
	if problems, ok := scenario.AsProblems(err); ok {
		return errors.Join(printJSON(env.Stdout, problems.Tree()), fmt.Errorf("%s cannot be computed: %s", c.File, fewReasons(problems)))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s was not computed within %v: --timeout gives it longer", c.File, c.Timeout)
	}
	if err != nil {
		return err
	}
	return printJSON(env.Stdout, doc)
}

// request answers a body of /api/1/calculate.
func (c *calculateCmd) request(ctx context.Context, env *Env, pkg *country.Package, system *legislation.System, doc legislation.Data) error {
	answer, err := c.ask(ctx, env, pkg, system, "/api/1/calculate", doc, false)
	if err != nil {
		return err
	}
	if answer.status >= http.StatusBadRequest {
		return c.refused(env, answer)
	}
	return answer.print(env.Stdout)
}

// refused prints an answer that says what is wrong, and returns the reason.
func (c *calculateCmd) refused(env *Env, answer *reply) error {
	return errors.Join(answer.print(env.Stdout), fmt.Errorf("%s cannot be computed: %s", c.File, answer.reasons("")))
}

// ask has a request answered as the server does, or asSent, without what the package suggests.
func (c *calculateCmd) ask(ctx context.Context, env *Env, pkg *country.Package, system *legislation.System, path string, doc legislation.Data, asSent bool) (*reply, error) {
	quiet := slog.New(slog.DiscardHandler)
	const most = 1 << 50 // whoever computes at home knows how much memory there is
	api := simapi.New(simapi.Options{Body: 2 * maxDocument, Timeout: c.Timeout, Values: most, Answer: most, Memory: most, AsSent: asSent, Now: env.Now, Log: quiet})
	if err := api.Load(ctx, pkg, system); err != nil {
		return nil, err
	}
	server, err := web.New(web.Options{Logger: quiet, MaxBody: 2 * maxDocument}, api.Services()...)
	if err != nil {
		return nil, err
	}
	return askInside(ctx, server, path, scenario.AppendJSON(nil, doc), c.Language)
}

func (c *calculateCmd) read(env *Env) (legislation.Data, error) {
	in := env.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return legislation.Data{}, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return legislation.Data{}, err
	}
	if len(text) > maxDocument {
		return legislation.Data{}, fmt.Errorf("%s has more than the %d bytes that are read", c.File, maxDocument)
	}
	if t := bytes.TrimLeft(text, " \t\r\n"); len(t) > 0 && t[0] == '{' {
		doc, err := scenario.DecodeJSON(text)
		if err == nil {
			return doc, nil
		}
		if _, isYAML := yamlOf(c.File, text); !isYAML {
			return doc, fmt.Errorf("%s is not JSON: %w", c.File, err)
		}
	}
	doc, err := legislation.ParseYAML(c.File, text)
	return doc, err
}

// yamlOf reports whether a text that looks like JSON is YAML after all, which allows keys without quotes.
func yamlOf(file string, text []byte) (legislation.Data, bool) {
	doc, err := legislation.ParseYAML(file, text)
	return doc, err == nil
}

func printJSON(w io.Writer, d legislation.Data) error {
	var out bytes.Buffer
	if err := json.Indent(&out, scenario.AppendJSON(nil, d), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}

// orNone names languages, or the flag that adds some.
func orNone(languages []string) string {
	if len(languages) == 0 {
		return "--labels FILE adds some"
	}
	return "it has " + strings.Join(languages, ", ")
}
