// Package probe writes the histograms and scalars of synthetic pings: those with probe definitions, and invented ones
// without a column.
package probe
