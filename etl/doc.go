// Package etl makes partitions: from pings of the archive, or rows of other tables,
// through the transforms into the lake. It plans what to make, divides it into tasks
// over ranges of samples, checks what they made, publishes it, and says how partitions
// are. It implements the steps that package job runs.
package etl
