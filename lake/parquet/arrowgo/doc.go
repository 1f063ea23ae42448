// Package arrowgo writes and reads parquet files of shredded columns with
// arrow-go's column writers and readers. Tests use it as another implementation,
// measurements compare this project's own encoder with it. The program
// does not contain it.
package arrowgo
