// Package loader loads submissions and pings into the archive: from files, and from the spool, whose decode
// loop also publishes the rows of the direct tables. It lists rejected submissions, decodes them again, repairs
// the archive, and accounts for acknowledged submissions.
package loader
