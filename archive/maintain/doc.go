// Package maintain changes which loads of the archive count: it undoes a load, gives up damaged files, removes expired days,
// rebuilds a damaged record and deletes records that nothing depends on. Each change is one load that replaces files, so
// readers see the archive before or after it; a call that was killed is repeated or finished.
package maintain
