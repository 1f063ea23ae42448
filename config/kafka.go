package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ingest/spool/kafka"
)

// spoolURL is empty or names a topic.
func spoolURL(s string) error {
	if s == "" {
		return nil
	}
	_, err := kafka.Parse(s)
	return err
}

// mechanism is empty or one of SASL.
func mechanism(s string) error {
	if s != "" && !slices.Contains(kafka.Mechanisms, s) {
		return fmt.Errorf("want one of %s, or nothing", strings.Join(kafka.Mechanisms, ", "))
	}
	return nil
}
