package vector

// Table is a two-dimensional array, row by row. Flat holds Rows*Cols elements; a constant Flat is a constant table.
type Table struct {
	Flat       Column
	Rows, Cols int
}
