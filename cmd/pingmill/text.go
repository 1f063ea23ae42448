package main

import (
	"fmt"
	"strings"
)

// shortList writes the first of many things, and how many more there are.
func shortList(all []string) string {
	const most = 5
	if len(all) <= most+1 {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}
