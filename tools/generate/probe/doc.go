// Package probe writes the histograms and scalars of synthetic pings: those that
// probe definitions name, and invented ones without a column.
package probe
