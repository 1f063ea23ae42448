package alert

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The headers of a webhook beside its content type.
const (
	TimeHeader      = "X-Pingmill-Time"      // seconds since 1970, part of the signed text
	SignatureHeader = "X-Pingmill-Signature" // see Sign
)

// Sign returns the signature of a body: HMAC-SHA256 of the text of its time, a point and the body, in hexadecimal.
func Sign(secret, seconds string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(seconds + "."))
	h.Write(body)
	return "sha256=" + hex.EncodeToString(h.Sum(nil))
}

const webhookTimeout = 10 * time.Second

// webhook sends to hosts that are allowed. It follows no redirects, uses no proxy, and looks at the address of each
// connection, so that neither a name nor a response leads it elsewhere.
type webhook struct {
	hosts  []string
	now    func() time.Time
	client *http.Client
}

func newWebhook(c Config) *webhook {
	d := &net.Dialer{Timeout: 5 * time.Second}
	if !c.Private {
		d.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error { return public(address) }
	}
	return &webhook{hosts: c.Hosts, now: c.Now, client: &http.Client{
		Timeout: webhookTimeout,
		Transport: &http.Transport{
			DialContext: d.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10, TLSHandshakeTimeout: 5 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

var errPrivate = errors.New("the address is not public: alerts.private of the configuration would let webhooks go there")

// reserved are networks that netip has no name for: of carriers, tests, documentation, and those that lead to IPv4 addresses.
var reserved = func() (all []netip.Prefix) {
	for _, p := range []string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10"} {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}()

// public is nil for an address of the internet.
func public(address string) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return errPrivate
	}
	ip := a.Addr().Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return errPrivate
	}
	return nil
}

// target reads the address of a webhook, which must be one that the configuration allows.
func (w *webhook) target(to string) (*url.URL, error) {
	if len(w.hosts) == 0 {
		return nil, errors.New("no webhooks are sent: alerts.webhook-hosts of the configuration is empty")
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Fragment != "" {
		return nil, fmt.Errorf("%.100q is no address such as https://hook.example.org/path", to)
	}
	if !slices.ContainsFunc(w.hosts, func(h string) bool { return allows(h, u) }) {
		return nil, errors.New("webhooks to this host are not allowed: alerts.webhook-hosts of the configuration has those that are")
	}
	return u, nil
}

// allows reports whether an entry of the configuration is for an address.
func allows(entry string, u *url.URL) bool {
	scheme := "https"
	if rest, plain := strings.CutPrefix(entry, "http://"); plain {
		scheme, entry = "http", rest
	}
	name, port, err := net.SplitHostPort(entry)
	if err != nil {
		name, port = strings.Trim(entry, "[]"), ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	name = strings.ToLower(name)
	fits := host == name
	if domain, wild := strings.CutPrefix(name, "*."); wild {
		fits = strings.HasSuffix(host, "."+domain) && len(host) > len(domain)+1
	}
	return u.Scheme == scheme && fits && u.Port() == port
}

func (w *webhook) send(ctx context.Context, t Target, secret string, n Notice) *Problem {
	u, err := w.target(t.To)
	if err != nil {
		return &Problem{What: err.Error(), Final: true}
	}
	body, err := json.Marshal(formOf(t.Format)(n))
	if err != nil {
		return &Problem{What: "the notice cannot be written", Final: true, Cause: err}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return &Problem{What: "the notice cannot be written", Final: true, Cause: err}
	}
	seconds := strconv.FormatInt(w.now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "pingmill")
	r.Header.Set(TimeHeader, seconds)
	r.Header.Set(SignatureHeader, Sign(secret, seconds, body))
	response, err := w.client.Do(r)
	if err != nil {
		return failure(err)
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // nothing of it is shown to anybody
	switch code := response.StatusCode; {
	case code/100 == 2:
		return nil
	case code/100 == 3:
		return &Problem{What: fmt.Sprintf("the webhook answered %d, and redirects are not followed", code), Final: true}
	default:
		return &Problem{What: fmt.Sprintf("the webhook answered %d", code), Final: code/100 == 4 && code != http.StatusTooManyRequests}
	}
}

// failure says in own words why there was no answer.
func failure(err error) *Problem {
	p := &Problem{What: "the webhook could not be reached", Cause: err}
	var timeout net.Error
	var dns *net.DNSError
	switch {
	case errors.Is(err, errPrivate):
		p.What, p.Final = errPrivate.Error(), true
	case errors.As(err, &dns):
		p.What = "the host of the webhook was not found"
	case errors.As(err, &timeout) && timeout.Timeout():
		p.What = "the webhook did not answer in time"
	}
	return p
}
