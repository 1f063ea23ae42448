// Package erase removes the rows of clients that asked to be forgotten, from the
// archive and from every table.
package erase
