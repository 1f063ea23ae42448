// Package parquet writes and reads parquet files of shredded columns (package
// column). No row or value ever takes another form. It supports what the lake
// and the archive need:
//
//   - types: those of package schema; lists of three levels, maps with
//     key_value groups, decimals as fixed-length two's complement;
//   - data pages of version 1, levels and dictionary indices in the RLE and
//     bit-packing hybrid, values PLAIN or by dictionary, the choice made per
//     column chunk from the values themselves;
//   - zstd, per column chunk, where it saves something, or for all of a file;
//   - a CRC-32 in every page, and a seal: checksums of all that is outside of pages;
//   - statistics, page indexes and bloom filters.
//
// The files are ordinary ones for every parquet reader. The format is the one of
// github.com/apache/parquet-format, version 2.
package parquet
