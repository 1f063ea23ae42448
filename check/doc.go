// Package check holds the rules of the tables as data. A Check has a name, a table, a severity, a description
// of the rule, and the function that finds the rows that break it. All lists the checks of the tables; other
// packages add more, such as users' SQL.
//
// A check reads a Partition: the files of one day of a table, published or staged. It reads only the columns
// that it needs, several ranges of samples concurrently, and holds an 8-byte hash for each row of a range.
// The keys of rows that break a rule are read in a second pass, which a valid partition never needs.
package check
