package config

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

var hostNames = lazy.Regexp(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

func hostName(s string) error {
	if !hostNames().MatchString(s) {
		return errors.New("want a host name such as metrics.example.org, without a port")
	}
	return nil
}

// webhookHost is a host that webhooks may go to.
func webhookHost(s string) error {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "http://"), "*.")
	if host, port, err := net.SplitHostPort(name); err == nil && port != "" {
		name = host
	}
	if strings.Trim(name, "[]") == "" || strings.ContainsAny(strings.Trim(name, "[]"), "/*@ ") {
		return errors.New("want a host such as hook.example.org, *.example.org or http://127.0.0.1:9000")
	}
	return nil
}

// mailServer is empty or an address with a host.
func mailServer(s string) error {
	if host, _, err := net.SplitHostPort(s); s != "" && (err != nil || host == "") {
		return errors.New("want a host with a port, such as mail.example.org:587")
	}
	return nil
}

func mailTLS(s string) error {
	if s != "starttls" && s != "tls" && s != "none" {
		return errors.New("want starttls, tls or none")
	}
	return nil
}

// application is the id of a Glean application as it is in paths, or stands for all.
func application(s string) error {
	if s != "*" && (strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || s == "" || s == "telemetry") {
		return errors.New("want an application id as it is in paths, such as org-mozilla-firefox, or *")
	}
	return nil
}

// part is the name of a part of the service.
func part(s string) error {
	if s != "edge" && s != "decode" && s != "schedule" && s != "web" {
		return errors.New("there is no such part: want some of edge, decode, schedule and web")
	}
	return nil
}

// sample wants the number of a sample.
func sample(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 || n > 99 {
		return errors.New("want numbers of samples, 0 to 99")
	}
	return nil
}

var edgeNames = lazy.Regexp(`^[A-Za-z0-9_]{1,100}$`)

// sharedName is an edge's name or none.
func sharedName(s string) error {
	if s == "" {
		return nil
	}
	return edgeName(s)
}

func edgeName(s string) error {
	if !edgeNames().MatchString(s) {
		return errors.New("want a name of letters, digits and _")
	}
	return nil
}
