package config

// webKeys lists the keys of the query tool and of what people and their programs get from it.
var webKeys = Keys{
	{Name: "web.listen", Flag: "web", Default: "127.0.0.1:8090", Check: address, Doc: "address of the query tool; :8090 for all interfaces",
		Commands: shows},
	{Name: "web.url", Flag: "web-url", Check: webURL,
		Doc: "address by which people reach the query tool, without a path; empty: http:// or https:// and web.listen", Commands: serve},
	{Name: "web.edge-url", Flag: "edge-url", Check: webURL, Doc: "address by which clients reach the edge, without a path, as the page Send " +
		"pings shows it; empty: that of edge.listen", Commands: serve},
	{Name: "web.docs-url", Flag: "docs-url", Check: docsURL, Doc: "address of the documentation to which the pages link, with {page} for " +
		"the name of a page; empty: that of the sources; none: no links", Commands: serve},
	{Name: "web.trusted-proxies", Flag: "web-trusted-proxy", Type: Networks, Doc: "networks (CIDR) of proxies in front of the query tool " +
		"whose X-Forwarded-For counts; without them all people behind one come from its address", Commands: serve},
	{Name: "web.default-grants", Flag: "default-grant", Type: List, Default: "*",
		Doc: "what new people may read: tables, table.column, or * for every table that is not restricted", Commands: serve},
	{Name: "web.dashboards", Flag: "dashboards", Doc: "folder of files kept equal with people's dashboards and queries", Commands: serve},
	{Name: "web.database", Flag: "database", Secret: true, Check: postgres,
		Doc: "address of a database of PostgreSQL in place of the SQLite files of accounts, saved queries, dashboards, schedules and " +
			"history, which several servers can share; empty: the files"},
	{Name: "web.tls.cert", Flag: "web-tls-cert", Doc: "certificate file (PEM), read again when it changes", Commands: serve},
	{Name: "web.tls.key", Flag: "web-tls-key", Doc: "key file (PEM)", Commands: serve},
	{Name: "web.oidc.issuer", Flag: "oidc-issuer", Check: issuer, Doc: "address of the provider, with https; empty: none", Commands: serve},
	{Name: "web.oidc.client-id", Flag: "oidc-client-id", Doc: "the name that the provider gave the query tool", Commands: serve},
	{Name: "web.oidc.client-secret", Flag: "oidc-client-secret", Secret: true,
		Doc: "its secret; better in the environment or in a file of its own than as a flag", Commands: serve},
	{Name: "web.oidc.client-secret-file", Flag: "oidc-client-secret-file", Doc: "file with its secret", Commands: serve},
	{Name: "web.oidc.name", Flag: "oidc-name", Doc: "name of the provider on the page; empty: its host", Commands: serve},
	{Name: "web.oidc.scopes", Flag: "oidc-scope", Type: List, Default: "openid,email,profile", Doc: "scopes that the provider is asked for",
		Commands: serve},
	{Name: "web.oidc.claim", Flag: "oidc-claim", Default: "email",
		Doc: "claim that is the name of a person, such as email, which has to be verified, or name", Commands: serve},
	{Name: "web.oidc.domains", Flag: "oidc-domain", Type: List,
		Doc: "domains of verified e-mail addresses that may come in; empty: everybody whom the provider signs in", Commands: serve},
	{Name: "web.oidc.groups-claim", Flag: "oidc-groups-claim", Default: "groups", Doc: "claim that lists the groups of a person",
		Commands: serve},
	{Name: "web.oidc.groups", Flag: "oidc-group", Type: List, Check: group,
		Doc: "what groups give beside what was given here: ops=operate for a right, ops=addons for a grant", Commands: serve},

	{Name: "flight.listen", Flag: "flight", Check: addressOrNone, Doc: "address of Arrow Flight SQL, such as 127.0.0.1:8091; empty: it is off",
		Commands: serve},
	{Name: "postgres.listen", Flag: "postgres", Check: addressOrNone,
		Doc: "address of PostgreSQL's protocol, such as 127.0.0.1:5432; empty: it is off. Without TLS it takes tokens from this " +
			"machine only",
		Commands: serve},
	{Name: "postgres.idle", Flag: "postgres-idle", Type: Duration, Default: "1h",
		Doc:      "how long a session of PostgreSQL's protocol may be silent, or leave an answer unread, before it is closed; 0: for ever",
		Commands: serve},
	{Name: "trino.listen", Flag: "trino", Check: addressOrNone,
		Doc: "address of Trino's protocol, such as 127.0.0.1:8092; empty: it is off. Without TLS it takes tokens from this " +
			"machine only",
		Commands: serve},
	{Name: "trino.idle", Flag: "trino-idle", Type: Duration, Default: "5m",
		Doc: "how long a statement of Trino's protocol waits for its client to read the next part of the result; a query that still " +
			"runs waits a minute at most; 0: for ever",
		Commands: serve},
	{Name: "alerts.webhook-hosts", Flag: "webhook-host", Type: List, Check: webhookHost, Doc: "hosts that webhooks may go to, by https: " +
		"example.org, *.example.org, example.org:8443, or by plain HTTP http://a.example; empty: none", Commands: serve},
	{Name: "alerts.private", Flag: "webhook-private", Type: Bool, Default: "false",
		Doc: "let webhooks go to addresses that are not public, such as those of this machine and its network", Commands: serve},
	{Name: "mail.server", Flag: "mail-server", Check: mailServer,
		Doc: "host and port of the mail server, such as mail.example:587; empty: no mail is sent", Commands: serve},
	{Name: "mail.from", Flag: "mail-from", Doc: "address of the sender", Commands: serve},
	{Name: "mail.tls", Flag: "mail-tls", Default: "starttls", Check: mailTLS,
		Doc: "how the server is spoken to: starttls (the connection must become encrypted), tls (it is from the start), none", Commands: serve},
	{Name: "mail.user", Flag: "mail-user", Doc: "name at the server; empty: without signing in", Commands: serve},
	{Name: "mail.password", Flag: "mail-password", Secret: true, Doc: "password at the server", Commands: serve},
	{Name: "mail.domains", Flag: "mail-domain", Type: List, Check: hostName, Doc: "domains that mail may go to; empty: all", Commands: serve},
	{Name: "mail.rows", Flag: "mail-rows", Type: Bool, Default: "false", Doc: "let schedules send rows; needs mail.domains", Commands: serve},
}
