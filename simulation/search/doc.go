// Package search finds variables and parameters of a legislation by what people call them.
//
// [New] makes an [Index] of a system; [Index.Find] ranks what matches a text. A word of the text matches a word of an
// [Entry] if it is that word, begins it, is part of it, or is a typing error away from it; accents and case do not count. The words
// are those of its id, its label in each language of the law, the values it may have, and whatever else the package says about it. A [Match] tells which word matched what, so
// that a ranking can be understood.
package search
