// Package glean reads the definitions of Glean applications, which name their metrics and pings, and derives tables
// from them. Definitions are files as the SDK's parser takes them, in YAML or JSON, or the JSON of the probe-info
// service. What determines a column is read strictly; everything else in these files is ignored.
package glean
