// Package rules holds the tests of the project's own rules: which package may
// import which, how large packages and files may be, and that every package says what it is for.
package rules
