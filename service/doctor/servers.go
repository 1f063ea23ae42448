package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/command"
	"github.com/pingmill/pingmill/store/database"
)

// clock is the difference between this machine's clock and a server's.
type clock struct {
	server string
	ahead  time.Duration // of this machine
}

// buckets lists each bucket of the installation; with Write it tries everything that an installation needs of it.
func (p *Patient) buckets(ctx context.Context) (all []Finding) {
	var urls []string
	for _, root := range []string{p.Roots.Archive, p.Roots.Lake, p.Roots.Pipeline, p.Roots.Restricted} {
		if blob.IsURL(root) {
			urls = append(urls, root)
		}
	}
	for _, url := range slices.Compact(urls) {
		all = append(all, p.bucket(ctx, url))
	}
	if all == nil {
		all = append(all, good("none: archive and tables are in folders"))
	}
	return all
}

func (p *Patient) bucket(ctx context.Context, url string) Finding {
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	b, err := blob.Open(short, url, blob.Options{Attempts: 2, Stall: patience / 2})
	if err != nil {
		return fail("look at the address, the credentials and the network; pingmill storage check URL tries everything", "%v", err)
	}
	if r, ok := b.Clock(); ok {
		p.clocks = append(p.clocks, clock{b.URL(), r.Here.Sub(r.Server)})
	}
	if !p.Write {
		return good("%s can be listed; --write tries writing, too", b.URL())
	}
	var out bytes.Buffer
	if err := command.Try(ctx, &out, url, p.Now); err != nil {
		lines := slices.DeleteFunc(strings.Split(out.String(), "\n"), func(l string) bool { return strings.HasPrefix(l, "ok ") })
		return fail("use another bucket, or other rights: docs/object-storage.md", "%v: %s", err, strings.Join(lines, " "))
	}
	return good("%s passes all of pingmill storage check", b.URL())
}

func (p *Patient) brokers(ctx context.Context) []Finding {
	c := p.Service.Topic
	if c.URL == "" {
		return []Finding{good("none: the spool is a folder")}
	}
	var err error
	if c.Target, err = kafka.Parse(c.URL); err != nil {
		return []Finding{fail("correct spool.url", "%v", err)}
	}
	c.Log, c.Now = quiet, p.Now
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t, err := kafka.Look(ctx, c.Config, p.Service.Edge.MaxBody)
	var unfit *kafka.SettingError
	switch {
	case errors.As(err, &unfit):
		return []Finding{fail("change the settings of the topic: docs/kafka.md", "%v", err)}
	case err != nil:
		return []Finding{fail("start the brokers, or correct spool.url and spool.kafka: submissions get 503 until then", "%s: %v",
			c.Target.String(), err)}
	}
	if len(t.Advice) > 0 {
		return []Finding{warn("docs/kafka.md", "%s: %s", c.Target.String(), strings.Join(t.Advice, "; "))}
	}
	return []Finding{good("%s has %d partitions on %d brokers at least", c.Target.String(), len(t.Partitions), t.Replicas)}
}

func (p *Patient) postgres(ctx context.Context) []Finding {
	url := p.Service.Web.Database
	if url == "" {
		return []Finding{good("none: accounts and saved queries are in files")}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := time.Now()
	now, err := database.Look(ctx, url)
	if err != nil {
		return []Finding{fail("start the server, or correct web.database: the query tool waits for it", "web.database: %v", err)}
	}
	p.clocks = append(p.clocks, clock{"PostgreSQL", time.Since(now)})
	return []Finding{good("the server of web.database responds in %v", time.Since(began).Round(time.Millisecond))}
}

func (p *Patient) provider(ctx context.Context) []Finding {
	issuer := p.Service.Web.OIDC.Issuer
	if issuer == "" {
		return []Finding{good("none: people sign in with accounts of the query tool")}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now, err := oidc.Look(ctx, issuer)
	if err != nil {
		return []Finding{fail("look at web.oidc.issuer and the network: nobody can sign in by it until then", "web.oidc.issuer: %v", err)}
	}
	if !now.IsZero() {
		p.clocks = append(p.clocks, clock{"the provider of accounts", time.Since(now)})
	}
	return []Finding{good("%s describes itself", issuer)}
}

// maxSkew is the largest difference of clocks that leases and tokens allow.
const maxSkew = time.Minute

// clock compares this machine's clock with those of the servers, and reads what the kernel knows of it.
func (p *Patient) clock(context.Context) (all []Finding) {
	const mend = "start a client of NTP: systemctl enable --now systemd-timesyncd, or chrony"
	for _, c := range p.clocks {
		if c.ahead.Abs() > maxSkew {
			all = append(all, fail(mend, "this machine's clock differs by %v from %s: leases and tokens allow %v", c.ahead.Round(time.Second),
				c.server, maxSkew))
		}
	}
	is, known := synchronized()
	switch {
	case known && !is:
		all = append(all, warn(mend, "the kernel says that no time server keeps the clock"))
	case all == nil && known:
		all = append(all, good("kept by a time server; %s", compared(p.clocks)))
	case all == nil:
		all = append(all, good("this system does not say whether a time server keeps it; %s", compared(p.clocks)))
	}
	return all
}

func compared(clocks []clock) string {
	if len(clocks) == 0 {
		return "no server to compare it with"
	}
	most := slices.MaxFunc(clocks, func(a, b clock) int { return int(a.ahead.Abs() - b.ahead.Abs()) })
	return fmt.Sprintf("it differs from servers by %v at most", most.ahead.Abs().Round(time.Second))
}
