// Package check holds the rules of the tables as data. A Check has a
// name, its table, a severity, the rule in words and the function
// that finds the rows that break it. All lists the checks of the tables; other
// packages make others, such as users' SQL.
//
// A check looks at a Partition: the files of one day of a table, published or
// staged for publication. It works range by range of samples, several at a time,
// reads only the columns it needs, and keeps a hash of 8 bytes for each row of a
// range: the keys of rows that break a rule are read in a second pass, which a
// good partition never needs.
package check
