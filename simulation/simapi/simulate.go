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
		tree, err := p.tree()
		return func(ctx context.Context, p *prepared, s *side) (any, error) {
			return a.decomposed(ctx, p, s, tree)
		}, err
	})
}

// tree is the decomposition that the request names, the package's own, or one derived from its headline variable.
func (p *prepared) tree() (*decomposition.Node, error) {
	library := p.law.decompositions
	tree, ok := library.Get(p.decomposition)
	if !ok && p.decomposition != "" {
		msg := fmt.Sprintf("there is no decomposition %q: the legislation has %s", p.decomposition, strings.Join(library.Names(), ", "))
		if near := legislation.Nearest(p.decomposition, slices.Values(library.Names())); near != "" {
			msg += fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, p.refused(400, object{{"decomposition", msg}})
	}
	if !ok {
		if tree, ok = p.law.derive(p.main().system); !ok {
			e := p.refused(501, "this legislation declares no decomposition, and none follows from a headline variable that only adds up others: put an XML or YAML file into its directory decompositions and name it in decomposition_file_path of its CountryTaxBenefitSystem")
			e.message = "Not implemented"
			return nil, e
		}
	}
	for _, s := range []*side{p.base, p.reform} {
		if s == nil {
			continue
		}
		if err := tree.Check(s.system); err != nil {
			e := p.refused(422, object{{"decomposition", err.Error()}})
			e.message = "The decomposition does not fit the legislation"
			return nil, e
		}
	}
	return tree, nil
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
	root := node(tree, values)
	return append(object{{"@context", "http://openfisca.fr/contexts/decomposition.jsonld"}}, root...), nil
}

// leaf says which variable of a tree has no answer, and why.
func (r *run) leaf(err error) (string, error) {
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
func node(n *decomposition.Node, values decomposition.Values) object {
	o := object{{"@type", "Node"}, {"code", n.Code}, {"name", n.Name}, {"short_name", n.ShortName}}
	if n.Color != nil {
		o.add("color", n.Color)
	}
	if n.Type != 0 {
		o.add("type", n.Type)
	}
	if len(n.Children) > 0 {
		children := list{}
		for _, c := range n.Children {
			children = append(children, node(c, values))
		}
		o.add("children", children)
	}
	o.add("values", figureRow(values[n]))
	return o
}
