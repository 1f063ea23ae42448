// Package archive stores raw pings by day: parquet files with the ingestion metadata as columns and the ping's
// JSON as one binary column, and next to them the rejected submissions with the reason.
//
//	pings/v1/submission_date_obj=YYYYMMDD/doc_type=main/LOAD-000001.parquet
//	errors/v1/submission_date_obj=YYYYMMDD/LOAD-000002.parquet
//	loads/v1/LOAD.json
//
// A load is everything that one Writer writes. It becomes visible as a whole, when its record under loads/v1 is
// committed. The names of its files consist only of the load and a counter. Readers trust only those records.
// Loading the same input again, after a crash or by mistake, gives the same files and changes nothing.
//
// A load may replace data files of earlier loads, for example if rejected submissions became pings later. Its
// name begins with "re-". Readers list the records of such loads before and after the files, so they find the
// files of one moment.
//
// Rows of a file are ordered by (sample, timestamp, document id), absent ones last. Row groups end at changes
// of the sample, so a task over a range of samples reads little else. Day.Pings merges the files of a day in
// that order. Package rowfile implements the files; this package implements the loads, their records and index,
// and the replacement of files and rows. Package maintain undoes, expires and repairs loads.
package archive
