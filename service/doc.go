// Package service puts the parts together that run for years: edge, decoding,
// scheduler, and the private listener with metrics, health and profiles.
package service
