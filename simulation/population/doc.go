// Package population computes variables for the rows of a file: millions of persons, in memory that does not grow with
// the file, on all cores.
//
//   - [Job] says what to compute; [Job.Run] does it. A file has a row per person; layout.go tells what its columns mean.
//   - source gives the rows of a CSV, Parquet or HDF5 file, batch by batch; cutter cuts them into chunks of whole groups.
//   - A chunk is a small simulation of its own. Chunks are computed at once and written in the order of the file.
//   - sink writes a CSV or Parquet file per entity, which appear when everything has been computed, or not at all.
//
// The numbers are those of one simulation of all rows, whatever the size of the chunks and the number of cores. Formulas
// that look beyond their rows are noticed while they run (ballot.go): where all chunks give the same answer, so does the
// whole; else the answers are put together and the chunks computed again with them; and what needs all rows gets them, in
// one simulation. internals/populations.md describes how.
package population
