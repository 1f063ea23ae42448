// Package rules tests the project's own rules: imports between packages, sizes of packages, package docs, and the
// links of the documentation.
package rules
