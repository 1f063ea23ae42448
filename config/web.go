package config

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// webURL is the address by which people reach the query tool, or "".
func webURL(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		return errors.New("want an address such as https://pings.example.org, without a path")
	}
	return nil
}

// docsURL is the address of a page of the documentation, none, or "".
func docsURL(s string) error {
	u, err := url.Parse(s)
	if s == "" || s == "none" {
		return nil
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !strings.Contains(u.Path, "{page}") {
		return errors.New("want an address such as https://docs.example.org/latest/{page}.html, or none")
	}
	return nil
}

// issuer is the address of a provider, or "". Without TLS anybody on the way could sign in as everybody.
func issuer(s string) error {
	u, err := url.Parse(s)
	if s == "" || err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())) {
		return nil
	}
	return errors.New("want an address with https, such as https://accounts.google.com")
}

func loopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// group is a group and what it gives.
func group(s string) error {
	if name, what, ok := strings.Cut(s, "="); !ok || name == "" || what == "" {
		return errors.New("want a group and what it gives, such as analysts=clients_daily")
	}
	return nil
}

func address(s string) error {
	if _, port, err := net.SplitHostPort(s); err != nil || port == "" {
		return errors.New("want an address with a port, such as 127.0.0.1:8080 or :8080")
	}
	return nil
}

func addressOrNone(s string) error {
	if s == "" {
		return nil
	}
	return address(s)
}

// postgres is the address of a database, or "". Errors must not show it: it may have a password.
func postgres(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || strings.Trim(u.Path, "/") == "") {
		return errors.New("want an address such as postgres://user@host/database")
	}
	return nil
}
