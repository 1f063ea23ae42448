// Package attack makes submissions as a hostile client could send them: each
// has one thing as large, as wide or as deep as an edge lets it pass. They are
// small to send and always the same.
package attack
