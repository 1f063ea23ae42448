package main

import (
	"crypto/tls"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/ingest"
)

// checkDecode says what of the files for decoding cannot be used, before anything
// is made.
func checkDecode(c ingest.Config) error {
	c.DuplicateWindow = 0
	_, err := ingest.New(c)
	return cli.Usage(err)
}

// checkCertificate does the same for a certificate; "" is none.
func checkCertificate(cert, key string) error {
	if cert == "" || key == "" { // one alone the configuration refuses
		return nil
	}
	if _, err := tls.LoadX509KeyPair(cert, key); err != nil {
		return cli.Usagef("load certificate %s with key %s: %w", cert, key, err)
	}
	return nil
}
