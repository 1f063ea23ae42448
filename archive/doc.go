// Package archive keeps raw pings by day: parquet files with the ingestion
// metadata as columns and the ping's JSON as one binary column, and beside
// them the rejected submissions with the reason.
//
//	pings/v1/submission_date_obj=YYYYMMDD/doc_type=main/LOAD-000001.parquet
//	errors/v1/submission_date_obj=YYYYMMDD/LOAD-000002.parquet
//	loads/v1/LOAD.json
//
// A load is all that one Writer takes. It becomes visible as a whole, when its
// record under loads/v1 is committed, and its files are named only after the
// load and a counter. Readers trust those records alone. Loading the same
// input again, after a crash or by mistake, gives the same files and changes
// nothing.
//
// A load may replace data files of earlier ones, as when rejected
// submissions became pings after all. Its name begins with "re-"; readers list
// the records of such loads before and after the files, and so find the files
// of one moment.
//
// Rows of a file are ordered by (sample, timestamp, document id), absent ones
// last, and row groups are cut where the sample changes, so that a task over a
// range of samples reads little else. Day.Pings merges the files of a day into
// that order. Package rowfile has the files; this one has the loads, their records
// and index, and what removes, replaces and mends them.
package archive
