// Package sitetest makes installations for tests, puts pings and submissions into
// them, and reads their contents.
package sitetest
