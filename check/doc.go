// Package check holds the rules that the tables keep, as data: a Check has a
// name, the table it is about, a severity, the rule in words and the function
// that finds the rows which break it. All lists those of the tables; others,
// such as users' SQL, are made by other packages.
//
// A check looks at a Partition: the files of one day of a table, published or
// staged for publication. It works range by range of samples, several at a time,
// reads only the columns it needs, and keeps a hash of 8 bytes for each row of a
// range: the keys of rows that break a rule are read in a second pass, which a
// good partition never needs.
package check
