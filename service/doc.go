// Package service runs edge, decode loop, schedule and query tool on one installation, and the private listener with
// metrics, health and profiles. Open opens everything that the parts of this process need, Run runs the parts until
// its context ends and stops them in order, and Close closes everything.
package service
