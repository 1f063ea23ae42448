// Package service is the running whole: the edge, the decode loop and the
// schedule on one installation, and the private listener with metrics, health
// and profiles. Open opens all that the parts of this process need, Run runs them
// until its context ends and then ends them in order, Close closes all.
package service
