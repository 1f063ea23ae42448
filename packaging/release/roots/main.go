// Command roots prints the certificates of Mozilla's root store as PEM, for an image without an operating system.
//
//	go run ./packaging/release/roots FILE.der
//
// The file has the certificates one after the other, as package x509roots/fallback/bundle of golang.org/x/crypto has them.
package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: roots FILE.der")
		os.Exit(64)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "roots:", err)
		os.Exit(1)
	}
}

// write writes the certificates of a file to standard output.
func write(file string) error {
	der, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	certificates, err := x509.ParseCertificates(der)
	if err != nil {
		return fmt.Errorf("parse %s: %w", file, err)
	}
	for _, c := range certificates {
		if _, err := fmt.Printf("# %s\n", c.Subject); err != nil {
			return err
		}
		if err := pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}); err != nil {
			return err
		}
	}
	return nil
}
