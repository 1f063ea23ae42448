// Package columnar writes results as Arrow IPC streams, and reads them back as the rows that other formats are written from.
//
// The types are exact: whole numbers and decimals of their width, dates, times, timestamps in their unit (microseconds for the
// most part), texts, bytes, lists, structs, maps. HUGEINT is decimal(38,0); what has no type in Arrow, such as UUID, BIT and
// times with a zone, is text as in CSV. An infinite date or timestamp is the greatest or least value, as DuckDB has it. Fields say
// in their metadata, under Shown, how text formats write them where their type alone does not.
package columnar
