// Package origin finds what a partition is made from: pings of the archive, and partitions of the same day and of earlier
// days.
package origin
