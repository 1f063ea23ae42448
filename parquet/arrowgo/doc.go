// Package arrowgo writes and reads parquet files of shredded columns with
// arrow-go's column writers and readers. Tests use it as another maker's reader,
// measurements as what this project's own encoder is compared with. The program
// does not contain it.
package arrowgo
