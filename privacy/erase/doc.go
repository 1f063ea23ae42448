// Package erase removes the rows of clients that requested it from the archive and from every table.
package erase
