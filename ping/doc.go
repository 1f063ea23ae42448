// Package ping defines the raw ping: its metadata with typed names, the JSON validator and the JSON scanner.
// The scanner is the hottest code of the project: in one pass over a ping's bytes it finds the wanted paths and
// skips everything else, without building a tree.
package ping
