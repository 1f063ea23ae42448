// Package random draws numbers that depend only on a seed and a purpose. It uses integers only, so every machine draws
// the same numbers.
package random
