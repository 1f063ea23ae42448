package main

import (
	"crypto/tls"
	"fmt"

	"github.com/pingmill/pingmill/ingest"
)

// asUsage makes an error one of how the command was called or configured.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errUsage, err)
}

// checkDecode says what of the files for decoding cannot be used, before anything
// is made.
func checkDecode(c ingest.Config) error {
	c.DuplicateWindow = 0
	d, err := ingest.New(c)
	if err == nil {
		err = d.Close()
	}
	return asUsage(err)
}

// checkCertificate does the same for a certificate; "" is none.
func checkCertificate(cert, key string) error {
	if cert == "" || key == "" { // one alone the configuration refuses
		return nil
	}
	if _, err := tls.LoadX509KeyPair(cert, key); err != nil {
		return asUsage(fmt.Errorf("load certificate %s with key %s: %w", cert, key, err))
	}
	return nil
}
