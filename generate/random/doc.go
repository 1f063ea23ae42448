// Package random draws numbers that depend on nothing but a seed and what they
// are drawn for. It works on integers alone: every machine draws the same.
package random
