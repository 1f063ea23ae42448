// Package glean reads parts of Glean's format that several packages need.
package glean
