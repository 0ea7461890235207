// Package hdf5 reads HDF5 files as h5py, PyTables and pandas write them.
//
//   - [Open] reads the superblock; [File.Root] is the root group. A [Group] lists its children: groups and datasets.
//   - A [Dataset] is an array; [Dataset.Columns] are its columns: the array itself, the fields of a table, or the columns of a matrix.
//   - [Column.Read] decodes a range of rows. Only the chunks of these rows are read.
//
// Supported: all superblocks, both versions of object headers, old-style groups and compact links, contiguous, compact and
// chunked data, the filters deflate, shuffle, fletcher32 and lzf, integers, floats, booleans, fixed and variable strings,
// enumerations, arrays and compound types. Files written with libver="latest" are read as far as these structures go;
// everything else is an error that names the structure and how to write the file again.
//
// Files may come from strangers: every length is checked against the file before memory is allocated, and links, blocks and
// nested types have bounds.
package hdf5
