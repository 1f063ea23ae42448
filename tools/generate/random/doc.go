// Package random draws numbers that depend only on a seed and a purpose. It
// works on integers alone: every machine draws the same.
package random
