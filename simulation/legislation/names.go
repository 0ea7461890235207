package legislation

import (
	"strings"
	"sync"
)

// VariableID is the number of a variable's name within [Names].
type VariableID int32

// PathID is the number of a parameter's path within [Names].
type PathID int32

// Names numbers the names of variables and the paths of parameters for a family of systems: a base system and everything
// that was derived from it. A number says nothing about existence: each system knows whether it has the variable.
// Names may be used by several goroutines.
type Names struct {
	mu        sync.RWMutex
	variables map[string]VariableID
	texts     []string
	paths     map[string]PathID
	steps     [][]string
}

// NewNames makes an empty numbering.
func NewNames() *Names {
	return &Names{variables: make(map[string]VariableID), paths: make(map[string]PathID)}
}

// Variable gives the number of a variable's name, a new one if need be. It is meant for names in source code;
// use [System.Lookup] for names that come from outside.
func (n *Names) Variable(name string) VariableID {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.variables[name]; ok {
		return id
	}
	id := VariableID(len(n.texts))
	n.texts = append(n.texts, name)
	n.variables[name] = id
	return id
}

// VariableName gives the name with that number.
func (n *Names) VariableName(id VariableID) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.texts[id]
}

// Path gives the number of a path such as "taxes", "income_tax", "rate", a new one if need be. As with variables, it is
// meant for paths in source code.
func (n *Names) Path(steps ...string) PathID {
	key := strings.Join(steps, "\x00")
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.paths[key]; ok {
		return id
	}
	id := PathID(len(n.steps))
	n.steps = append(n.steps, append([]string(nil), steps...))
	n.paths[key] = id
	return id
}

// PathSteps gives the path with that number; the caller must not change it.
func (n *Names) PathSteps(id PathID) []string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.steps[id]
}

func (n *Names) pathCount() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return len(n.steps)
}

func (n *Names) variableCount() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return len(n.texts)
}
