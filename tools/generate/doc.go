// Package generate creates synthetic submissions of a desktop browser of early 2018: a population of clients with
// stable identities, whose sessions last several days, and whose main, crash, new-profile and update pings have the
// shape and size of real ones. A configurable share of them is damaged, odd or sent twice.
//
// The output depends on the configuration only: the same configuration gives the same bytes, on any number of cores.
// The package reads no clock and no other source of randomness. It holds the plan of a day in memory, less than a
// kilobyte for each client, and writes documents one after the other.
//
// Names of clients, add-ons, sites and most histograms are invented. Addresses are from the ranges reserved for
// documentation.
package generate
