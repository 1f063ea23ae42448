package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/service"
)

// expiresSoon is the time before the end of a certificate from which on it should be renewed.
const expiresSoon = 21 * 24 * time.Hour

// pair is a certificate with its key, as a listener or a client has it.
type pair struct {
	section, cert, key string
	host               string // by which clients know it; "": not known here
	client             bool   // it is shown to a server, which alone knows whom it trusts
}

func (p *Patient) certificates(context.Context) (all []Finding) {
	c := p.Service
	host := ""
	if u, err := url.Parse(c.Web.URL); err == nil {
		host = u.Hostname()
	}
	for _, x := range []struct {
		part string
		pair
	}{
		{service.PartEdge, pair{section: "edge.tls", cert: c.Edge.CertFile, key: c.Edge.KeyFile}},
		{service.PartWeb, pair{section: "web.tls", cert: c.Web.CertFile, key: c.Web.KeyFile, host: host}},
		{"", pair{section: "spool.kafka", cert: c.Topic.CertFile, key: c.Topic.KeyFile, client: true}},
	} {
		if x.cert != "" && (x.part == "" || slices.Contains(c.Parts, x.part)) {
			all = append(all, x.examine(p.Now())...)
		}
	}
	if all == nil {
		all = append(all, good("none is set"))
	}
	return all
}

func (x *pair) examine(now time.Time) (all []Finding) {
	loaded, err := tls.LoadX509KeyPair(x.cert, x.key)
	if err != nil {
		return []Finding{fail("write the certificate and the key that belong together into these files", "%s: %v", x.section, err)}
	}
	leaf := loaded.Leaf
	const renew = "renew it and replace both files; the service reads them again"
	switch left := leaf.NotAfter.Sub(now); {
	case left <= 0:
		all = append(all, fail(renew, "%s: %s expired on %s", x.section, x.cert, leaf.NotAfter.Format(time.DateOnly)))
	case now.Before(leaf.NotBefore):
		all = append(all, fail("look at the clock, or use a certificate that is valid", "%s: %s is valid from %s on", x.section, x.cert,
			leaf.NotBefore.Format(time.DateTime)))
	case left < expiresSoon:
		all = append(all, warn(renew, "%s: %s expires in %s", x.section, x.cert, days(left)))
	}
	if x.host != "" && leaf.VerifyHostname(x.host) != nil {
		all = append(all, fail("use a certificate with that name, or correct web.url", "%s: %s is for %s, and web.url has %s", x.section, x.cert,
			strings.Join(leaf.DNSNames, ", "), x.host))
	}
	if !x.client {
		all = append(all, x.chain(&loaded, now)...)
	}
	if all == nil {
		all = append(all, good("%s: %s, for %s, until %s", x.section, x.cert, strings.Join(leaf.DNSNames, ", "),
			leaf.NotAfter.Format(time.DateOnly)))
	}
	return all
}

// chain checks that clients with the certificates of this system trust a certificate by what the file has with it.
func (x *pair) chain(loaded *tls.Certificate, now time.Time) []Finding {
	between := x509.NewCertPool()
	for _, der := range loaded.Certificate[1:] {
		if c, err := x509.ParseCertificate(der); err == nil {
			between.AddCert(c)
		}
	}
	at := now
	if now.After(loaded.Leaf.NotAfter) || now.Before(loaded.Leaf.NotBefore) {
		at = loaded.Leaf.NotBefore.Add(time.Second) // its time is a finding already
	}
	_, err := loaded.Leaf.Verify(x509.VerifyOptions{Intermediates: between, CurrentTime: at})
	var unknown x509.UnknownAuthorityError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return []Finding{warn("append the certificates of the issuers to the file, the leaf first; with an authority of your own, clients need "+
			"its certificate", "%s: the certificates of this system do not vouch for %s: %v", x.section, x.cert, err)}
	}
	return []Finding{fail("use another certificate", "%s: %s: %v", x.section, x.cert, err)}
}
