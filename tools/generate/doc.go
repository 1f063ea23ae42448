// Package generate makes synthetic submissions of a desktop browser of early
// 2018: a population of clients that keep their identity, whose sessions run over
// days, and whose main, crash, new-profile and update pings have the shape and
// size of real ones. A configurable share of them is damaged, odd or
// sent twice.
//
// Everything follows from the configuration: the same one gives the same bytes,
// on any number of cores. No clock and no other source of chance is read.
// The plan of a day is held in memory, less than a kilobyte for each
// client; documents are written one after the other.
//
// Names of clients, add-ons, sites and most histograms are invented; addresses
// are of the ranges that are reserved for documentation.
package generate
