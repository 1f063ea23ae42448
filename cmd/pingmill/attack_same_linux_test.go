package main

import (
	"crypto/sha256"
	"testing"
)

// Every submission passes an edge's bounds, is named, and is always the same.
func TestAttackSubmissions(t *testing.T) {
	t.Parallel()
	names, sums := map[string]bool{}, map[string][sha256.Size]byte{}
	for s := range attackSubmissions() {
		if names[s.Name] || s.Client == "" {
			t.Errorf("%q is there twice, or has no client", s.Name)
		}
		names[s.Name] = true
		sums[s.Name] = sha256.Sum256(append([]byte(s.Path), s.Body...))
		if len(s.Path) > maxPath || len(s.Body) > 1<<20 {
			t.Errorf("%s: a path of %d bytes and a body of %d", s.Name, len(s.Path), len(s.Body))
		}
	}
	if len(names) < 30 {
		t.Errorf("%d submissions", len(names))
	}
	for s := range attackSubmissions() {
		if sums[s.Name] != sha256.Sum256(append([]byte(s.Path), s.Body...)) {
			t.Errorf("%s is another one the second time", s.Name)
		}
	}
}
