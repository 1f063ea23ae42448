// Package rules holds the tests of the project's own rules: which package may
// import which, how large each may be, that every package says what it is for,
// and that the links of the documentation lead somewhere.
package rules
