package generate

// writeEnvironment writes what the browser knows about itself, its machine and
// its settings.
func (w *writer) writeEnvironment(t *text) {
	t.open("environment")
	w.writeBuild(t)
	w.writePartner(t)
	w.writeSystem(t)
	w.writeSettings(t)
	t.open("profile")
	t.num("creationDate", w.client.created)
	if w.client.reset != 0 {
		t.num("resetDate", w.client.reset)
	}
	t.close()
	w.writeAddons(t)
	t.open("experiments")
	for _, s := range w.studies {
		t.name(s.id)
		t.begin()
		t.str("branch", s.branches[0])
		t.close()
	}
	t.close()
	t.close()
}

func (w *writer) writeBuild(t *text) {
	arch, abi := w.architecture()
	t.open("build")
	t.str("applicationId", applicationID)
	t.str("applicationName", w.app)
	t.str("architecture", arch)
	t.str("buildId", w.build.id)
	t.str("version", w.build.version)
	t.str("vendor", vendor)
	t.str("displayVersion", w.build.display)
	t.str("platformVersion", w.build.version)
	t.str("xpcomAbi", abi)
	t.bool("updaterAvailable", w.hardware.os.name != "Linux")
	if w.build.major < 57 {
		t.null("hotfixVersion")
	}
	t.close()
}

func (w *writer) writePartner(t *text) {
	t.open("partner")
	if p := w.software.partner; p == "" {
		for _, name := range []string{"distributionId", "distributionVersion", "partnerId", "distributor", "distributorChannel"} {
			t.null(name)
		}
		t.list("partnerNames", nil)
	} else {
		t.str("distributionId", p)
		t.str("distributionVersion", "1.0")
		t.str("partnerId", p+"-partner")
		t.str("distributor", p)
		t.null("distributorChannel")
		t.list("partnerNames", []string{p})
	}
	t.close()
}

func (w *writer) writeSettings(t *text) {
	s := &w.software
	t.open("settings")
	t.bool("blocklistEnabled", s.blocklist)
	t.bool("e10sEnabled", s.e10s)
	t.num("e10sMultiProcesses", s.processes)
	if w.build.major < 58 {
		t.str("e10sCohort", "multiBucket4")
	}
	t.bool("telemetryEnabled", s.telemetry)
	t.str("locale", w.client.locale)
	t.open("update")
	t.str("channel", w.client.channel.name)
	t.bool("enabled", s.update)
	t.bool("autoDownload", s.download)
	t.close()
	w.writePrefs(t)
	t.open("sandbox")
	t.num("effectiveContentProcessLevel", s.sandbox)
	t.close()
	t.bool("addonCompatibilityCheckEnabled", true)
	if s.isDefault == 2 {
		t.null("isDefaultBrowser")
	} else {
		t.bool("isDefaultBrowser", s.isDefault == 1)
	}
	w.writeEngine(t, &engines[s.engine])
	if s.cohort != "" {
		t.str("searchCohort", s.cohort)
	}
	if a := s.source; a != nil {
		t.open("attribution")
		for _, m := range [...][2]string{{"source", a.source}, {"medium", a.medium}, {"campaign", a.campaign}, {"content", a.content}} {
			if m[1] != "" {
				t.str(m[0], m[1])
			}
		}
		t.close()
	}
	t.close()
}

func (w *writer) writeEngine(t *text, e *engine) {
	if e.id == "" {
		t.str("defaultSearchEngine", "NONE")
		t.open("defaultSearchEngineData")
		t.str("name", "NONE")
		t.close()
		return
	}
	t.str("defaultSearchEngine", e.id)
	t.open("defaultSearchEngineData")
	t.str("name", e.name)
	t.str("loadPath", e.path)
	t.str("origin", e.origin)
	if e.url != "" {
		t.str("submissionURL", e.url)
	}
	t.close()
}

// preferences are what userPrefs may have: the ones that have a column, some
// with a value of another type than theirs, and others. The values are JSON.
var preferences = []struct {
	name   string
	values []string
}{
	{"browser.cache.disk.capacity", []string{"358400", "1048576", "250000"}},
	{"browser.search.widget.inNavBar", []string{"false", "true"}},
	{"dom.ipc.plugins.sandbox-level.flash", []string{"3", "0", "1", "2.5"}},
	{"dom.ipc.processCount", []string{"7", "1", "4", "8", `"4"`}},
	{"extensions.allow-non-mpc-extensions", []string{"true", "false", "1"}},
	{"extensions.legacy.enabled", []string{"false", "true"}},
	{"general.config.filename", []string{`"autoconfig.cfg"`, `"mozilla.cfg"`, `"über.cfg"`, "7"}},
	{"browser.startup.homepage", []string{`"<user-set>"`}},
	{"browser.newtabpage.enhanced", []string{"true"}},
	{"browser.startup.page", []string{"3", "0"}},
	{"browser.search.region", []string{`"KE"`, `"US"`, `"DE"`}},
	{"browser.urlbar.suggest.searches", []string{"true", "false"}},
	{"layout.css.devPixelsPerPx", []string{`"<user-set>"`}},
	{"browser.formfill.expire_days", []string{"180", "7"}},
	{"network.proxy.type", []string{"5", "1"}},
	{"privacy.trackingprotection.enabled", []string{"true"}},
	{"app.shield.optoutstudies.enabled", []string{"true", "false"}},
	{"browser.zoom.full", []string{"true"}},
	{"services.sync.serverURL", []string{`"<user-set>"`}},
	{"dom.ipc.processCount.web", []string{"4"}},
}

func (w *writer) writePrefs(t *text) {
	t.open("userPrefs")
	for i := range preferences {
		if p := &preferences[i]; i == 0 || w.prefs>>i&1 != 0 {
			t.key(p.name)
			t.raw(p.values[w.client.size%len(p.values)])
			t.raw(",")
		}
	}
	t.close()
}

func (w *writer) writeAddons(t *text) {
	s := &w.software
	t.open("addons")
	t.open("activeAddons")
	for i := range s.addons {
		t.name(s.addons[i].id)
		t.begin()
		w.writeAddon(t, &s.addons[i])
		t.close()
	}
	t.close()
	t.open("theme")
	t.str("id", s.theme.id)
	writeAddonHead(t, &s.theme)
	t.num("scope", 4)
	writeAddonFoot(t, &s.theme)
	t.close()
	w.writePlugins(t)
	t.open("activeGMPlugins")
	for _, p := range [][2]string{{"gmp-gmpopenh264", "1.7.1"}, {"gmp-widevinecdm", "1.4.8.1008"}}[:1+w.client.size%2] {
		t.open(p[0])
		t.str("version", p[1])
		t.bool("userDisabled", false)
		t.num("applyBackgroundUpdates", 1)
		t.close()
	}
	t.close()
	t.open("activeExperiment")
	if s.experiment != "" {
		t.str("id", s.experiment)
		t.str("branch", s.branch)
	}
	t.close()
	if s.theme.foreign {
		t.str("persona", s.theme.id)
	} else {
		t.null("persona")
	}
	t.close()
}

func writeAddonHead(t *text, a *addon) {
	t.bool("blocklisted", false)
	t.strOrNull("description", a.description)
	t.str("name", a.name)
	t.bool("userDisabled", false)
	t.bool("appDisabled", false)
	t.str("version", a.version)
}

func writeAddonFoot(t *text, a *addon) {
	t.bool("foreignInstall", a.foreign)
	t.bool("hasBinaryComponents", false)
	t.num("installDay", a.installed)
	t.num("updateDay", a.updated)
}

func (w *writer) writeAddon(t *text, a *addon) {
	writeAddonHead(t, a)
	t.num("scope", 1)
	t.str("type", "extension")
	writeAddonFoot(t, a)
	if !a.system {
		t.num("signedState", a.signed)
	}
	t.bool("isSystem", a.system)
	t.bool("isWebExtension", a.web)
	if w.build.major < 60 {
		t.bool("multiprocessCompatible", !a.legacy)
	}
}

func (w *writer) writePlugins(t *text) {
	t.openList("activePlugins")
	for i := range w.plugins {
		p := &w.plugins[i]
		t.begin()
		t.str("name", p.name)
		t.str("version", p.version)
		t.str("description", p.description)
		t.bool("blocklisted", false)
		t.bool("disabled", p.disabled)
		t.bool("clicktoplay", p.click)
		t.list("mimeTypes", []string{p.mime})
		t.num("updateDay", p.day)
		t.close()
	}
	t.closeList()
}
