package scenario

import (
	"sync"
	"unsafe"

	"edict/platform/heap"
	"edict/simulation/legislation"
)

// Document is a decoded document together with what it was decoded into, which serves for another one after it.
type Document struct {
	legislation.Data
	decoder
}

// documents are those that were released.
var documents = sync.Pool{New: func() any { return new(Document) }}

// ReadJSON is [DecodeJSON] within bounds, for a document that is soon done with. The text belongs to the document from then
// on. One that is not released is left to the collector.
func ReadJSON(text []byte, b Bounds) (*Document, error) {
	d := documents.Get().(*Document)
	d.texts, d.took = heap.Slab[string]{Next: d.took}, 0
	var err error
	d.Data, err = d.document(unsafe.String(unsafe.SliceData(text), len(text)), b)
	return d, err
}

// Release ends the use of a document: its lists and mappings, and what was made of them without copying. Its texts may
// be kept, those that are columns too: somebody who remembers values might.
func (d *Document) Release() {
	d.Data, d.text, d.texts = legislation.Data{}, "", heap.Slab[string]{}
	d.keys, d.values = emptied(d.keys), emptied(d.values)
	d.slabs.reset()
	documents.Put(d)
}
