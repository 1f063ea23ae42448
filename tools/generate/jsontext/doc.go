// Package jsontext writes JSON fast, member by member, into one buffer.
package jsontext
