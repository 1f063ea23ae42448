// Package desk takes the questions of people: it runs each in its turn, within the limits of who asks and over what was granted to
// them, keeps result and history, and says who else may see them.
//
// A result is an Arrow IPC stream as the query's process wrote it, in a file of its own with an index and checksums behind it.
// Neither the process nor the file is trusted: what cannot be read is an error that says to run the query again.
package queryservice
