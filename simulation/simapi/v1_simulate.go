package simapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"edict/simulation/decomposition"
	"edict/simulation/legislation"
)

var simulateKeys = []string{"base_reforms", "context", "decomposition", "reforms", "scenarios", "time", "trace", "validate"}

func (a *API) simulate(l *law, w http.ResponseWriter, r *http.Request) error {
	return a.scenarios(l, w, r, simulateKeys, func(p *prepared) (figures, error) {
		trees, err := p.trees()
		return func(ctx context.Context, p *prepared, s *side) (any, error) {
			return a.decomposed(ctx, p, s, trees[s])
		}, err
	})
}

// trees are the decompositions of both sides: the one that the request names, the package's own, or those derived from
// the headline variable, which differ where a reform has other formulas.
func (p *prepared) trees() (map[*side]*decomposition.Node, error) {
	library := p.law.decompositions
	declared, ok := library.Get(p.decomposition)
	if !ok && p.decomposition != "" {
		msg := fmt.Sprintf("there is no decomposition %q: the legislation has %s", p.decomposition, strings.Join(library.Names(), ", "))
		if near := legislation.Nearest(p.decomposition, slices.Values(library.Names())); near != "" {
			msg += fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, p.refused(400, object{{"decomposition", msg}})
	}
	trees := map[*side]*decomposition.Node{}
	for _, s := range []*side{p.base, p.reform} {
		if s == nil {
			continue
		}
		tree := declared
		if !ok {
			var err error
			if tree, err = p.law.derive(s); err != nil {
				return nil, p.withoutTree(err)
			}
		}
		if err := tree.Check(s.system); err != nil {
			e := p.refused(422, object{{"decomposition", err.Error()}})
			e.message = "The decomposition does not fit the legislation"
			return nil, e
		}
		trees[s] = tree
	}
	return trees, nil
}

// withoutTree says how to supply a decomposition.
func (p *prepared) withoutTree(reason error) error {
	e := p.refused(501, fmt.Sprintf("this legislation declares no decomposition, and %v. Put a decomposition.yaml into the package, or a file into its directory decompositions and name it in decomposition_file_path of its CountryTaxBenefitSystem", reason))
	e.message = "Not implemented"
	return e
}

// decomposed computes the tree for every scenario of a side.
func (a *API) decomposed(ctx context.Context, p *prepared, s *side, tree *decomposition.Node) (any, error) {
	if err := a.start(ctx, p, s); err != nil {
		return nil, err
	}
	values := decomposition.Values{}
	for i, r := range s.runs {
		cells, err := r.scenario.Situation.Cells()
		if err != nil {
			return nil, p.failed(ctx, i, "", err)
		}
		if err := tree.Calculate(r.sim, r.scenario.Period, cells, values); err != nil {
			name, cause := r.leaf(err)
			return nil, p.failed(ctx, i, name, cause)
		}
	}
	root := node(s.system.Texts(p.language), tree, values)
	return append(object{{"@context", "http://openfisca.fr/contexts/decomposition.jsonld"}}, root...), nil
}

// leaf says which variable of a tree has no answer, and why.
func (r *scenarioRun) leaf(err error) (string, error) {
	leaf, ok := errors.AsType[*decomposition.LeafError](err)
	if !ok {
		return "", err
	}
	v := leaf.Variable
	if wrong, ok := errors.AsType[*decomposition.NonFinite](err); ok {
		return v.Name, &nonFiniteError{v, leaf.Period.String(), r.scenario.Situation.Name(v.Entity, wrong.Member), wrong.Value}
	}
	return v.Name, unfitting(err, v, leaf.Period)
}

// node is a node of the tree with its figures.
func node(t legislation.Texts, n *decomposition.Node, values decomposition.Values) object {
	name, short := t.Part(n.Code, n.Name, n.ShortName)
	o := object{{"@type", "Node"}, {"code", n.Code}, {"name", name}, {"short_name", short}}
	if n.Color != nil {
		o.add("color", n.Color)
	}
	if n.Type != 0 {
		o.add("type", n.Type)
	}
	if len(n.Children) > 0 {
		children := list{}
		for _, c := range n.Children {
			children = append(children, node(t, c, values))
		}
		o.add("children", children)
	}
	o.add("values", figureRow(values[n]))
	if n.End != "" {
		o.add("end", n.End)
	}
	return o
}
