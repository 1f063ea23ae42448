package web

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/serve/programs"
	"github.com/pingmill/pingmill/serve/web/session"
)

// Settings holds the query tool's settings.
type Settings struct {
	Listen  string
	URL     string // public URL; "": derived from Listen
	EdgeURL string // public URL of the edge; "": derived from where it listens
	Docs    string // address of a page of the documentation, with {page}; "": that of the sources; "none"
	// CertFile and KeyFile are PEM files, read again when they change; "": no TLS.
	CertFile, KeyFile string
	Proxies           []netip.Prefix // trusted proxies, whose X-Forwarded-For counts
	Grants            []string       // of new people
	Dashboards        string         // folder of dashboards as files; "": none
	Database          string         // address of PostgreSQL; "": files of SQLite
	programs.Settings                // the other protocols

	OIDC       oidc.Config // without Issuer: none
	secretFile string
	groups     []string
}

// SettingError means that the configuration is wrong.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }

func (e *SettingError) Unwrap() error { return e.Err }

// settings parses the settings that can be wrong: the URL, the grants of new people, and the provider.
func (s *Server) settings() (base *url.URL, grants []access.Grant, provider *oidc.Config, err error) {
	if base, err = url.Parse(s.URL); err != nil || base.Host == "" {
		return nil, nil, nil, fmt.Errorf("the address of the query tool, %q, is none", s.URL)
	}
	if grants, err = s.Settings.grants(s.Site.Tables); err != nil {
		return nil, nil, nil, err
	}
	provider, err = s.Settings.provider(s.URL, s.Site.Tables)
	return base, grants, provider, err
}

// Check reports settings that do not fit the tables of an installation.
func (s *Settings) Check(tables []*schema.Table) error {
	_, grants := s.grants(tables)
	_, provider := s.provider(s.Base(s.Listen), tables)
	return errors.Join(grants, provider)
}

// Add adds the flags.
func (s *Settings) Add(fs *pflag.FlagSet) {
	for name, to := range map[string]any{
		"listen": &s.Listen, "url": &s.URL, "edge-url": &s.EdgeURL, "docs-url": &s.Docs,
		"tls.cert": &s.CertFile, "tls.key": &s.KeyFile, "trusted-proxies": &s.Proxies,
		"default-grants": &s.Grants, "dashboards": &s.Dashboards, "database": &s.Database,
		"oidc.issuer": &s.OIDC.Issuer, "oidc.client-id": &s.OIDC.ClientID, "oidc.client-secret": &s.OIDC.ClientSecret,
		"oidc.client-secret-file": &s.secretFile,
		"oidc.name":               &s.OIDC.Name, "oidc.scopes": &s.OIDC.Scopes, "oidc.claim": &s.OIDC.Claim, "oidc.domains": &s.OIDC.Domains,
		"oidc.groups-claim": &s.OIDC.GroupsClaim, "oidc.groups": &s.groups,
	} {
		config.Flag(fs, "web."+name, to)
	}
	config.Flag(fs, "flight.listen", &s.Flight)
	config.Flag(fs, "postgres.listen", &s.Postgres)
	config.Flag(fs, "postgres.idle", &s.PostgresIdle)
	config.Flag(fs, "trino.listen", &s.Trino)
	config.Flag(fs, "trino.idle", &s.TrinoIdle)
}

// Base returns the public URL of the query tool, which listens on another address.
func (s *Settings) Base(listens string) string {
	return listening.Base(s.URL, listens, s.CertFile != "")
}

// Edge returns the URL of the edge as people type it, without the path: "" if there is no edge here and none in the settings.
// listens and pages are the addresses of the edge and of the query tool. An edge on all interfaces has the host of the query tool.
func (s *Settings) Edge(listens string, tls bool, pages string) string {
	if s.EdgeURL != "" || listens == "" {
		return strings.TrimSuffix(s.EdgeURL, "/")
	}
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return ""
	}
	switch a, err := netip.ParseAddr(host); {
	case err != nil:
	case a.IsLoopback():
		host = "localhost" // Firefox sends some pings to no other name
	case a.IsUnspecified():
		if u, err := url.Parse(s.Base(pages)); err == nil {
			host = u.Hostname()
		}
	}
	return listening.Base("", net.JoinHostPort(host, port), tls)
}

// docs returns the address of a page of the documentation, "" if there is none.
func (s *Settings) docs() string {
	switch s.Docs {
	case "":
		return "https://github.com/pingmill/pingmill/blob/main/docs/{page}.md"
	case "none":
		return ""
	}
	return s.Docs
}

// grants returns the grants of new people.
func (s *Settings) grants(tables []*schema.Table) ([]access.Grant, error) {
	g, err := access.ParseGrants(s.Grants)
	if err == nil {
		err = access.CheckGrants(tables, g)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config.Call("web.default-grants"), err)
	}
	return g, nil
}

// provider returns the configuration of the OpenID Connect provider, nil if there is none. base is the URL of the
// query tool.
func (s *Settings) provider(base string, tables []*schema.Table) (*oidc.Config, error) {
	if s.OIDC.Issuer == "" {
		return nil, nil
	}
	c := s.OIDC
	c.Redirect = base + session.CallbackPath
	if s.secretFile != "" {
		text, err := os.ReadFile(s.secretFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", config.Call("web.oidc.client-secret-file"), err)
		}
		c.ClientSecret = strings.TrimSpace(string(text))
	}
	if u, err := url.Parse(c.Issuer); err == nil && c.Name == "" {
		c.Name = u.Hostname()
	}
	groups, err := oidc.ParseGroups(s.groups)
	for _, g := range groups {
		err = errors.Join(err, access.CheckGrants(tables, g.Grants))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config.Call("web.oidc.groups"), err)
	}
	c.Groups = groups
	return &c, nil
}
