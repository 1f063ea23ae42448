// Package sitetest makes installations for tests, puts pings and submissions into
// them, and reads what is in them.
package sitetest
