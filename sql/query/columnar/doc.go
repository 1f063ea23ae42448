// Package columnar writes results as Arrow IPC streams and reads them back as rows, from which the other formats are
// written.
//
// Types are exact: integers and decimals have their width, timestamps their unit (mostly microseconds); there are also
// dates, times, texts, bytes, lists, structs and maps. HUGEINT is decimal(38,0). Types that Arrow does not have, such
// as UUID, BIT and times with a zone, are text as in CSV. An infinite date or timestamp is the greatest or least value,
// as in DuckDB. The metadata key Shown of a field describes how text formats write its values if the type does not
// decide that.
package columnar
