package scenario

import (
	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/legislation"
)

// Workspace is what reading one document, and the situation in it, takes. A request borrows one and gives it back when its answer
// is written; the next request uses the same memory. The zero value is a workspace too, for whoever gives nothing back.
type Workspace struct {
	document  documentReader
	entities  entities
	situation Situation
	inputs    inputTable[inputKey] // of one scenario
}

// workspaces are those that nobody uses.
var workspaces heap.Pool[Workspace]

// Borrow takes a workspace.
func Borrow() *Workspace { return workspaces.Get() }

// GiveBack ends the use of a workspace and of what was made in it: the lists and mappings of documents, and situations.
// Simulations that were made of a situation stay what they are, and texts may be kept, those that are columns too: somebody
// who remembers values might.
func (w *Workspace) GiveBack() {
	d := &w.document
	d.texts, d.memory = heap.Slab[string]{}, nil
	d.keys, d.values = emptied(d.keys), emptied(d.values)
	d.slabs.reset()
	w.situation.reset()
	w.inputs = w.inputs.emptied()
	workspaces.Put(w)
}

// ReadJSON is [DecodeJSON] within bounds. The text belongs to the document from then on.
func (w *Workspace) ReadJSON(text []byte, b Bounds) (legislation.Data, error) {
	return w.document.document(text, b)
}

// ParseEntities is [ParseEntities] that holds what the situation takes of a share of memory.
func (w *Workspace) ParseEntities(memory *heap.Share, system *legislation.System, doc legislation.Data) (*Situation, error) {
	return w.parseEntities(system, doc, nil, loose{}, memory)
}

// reset makes a situation that can be filled, with the room of the one before.
func (s *Situation) reset() {
	clear(s.Spec.Groups)
	*s = Situation{Spec: engine.Spec{Groups: s.Spec.Groups}, Inputs: emptied(s.Inputs)}
}
