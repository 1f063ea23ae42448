package generate

import "github.com/pingmill/pingmill/generate/jsontext"

// writeEnvironment writes what the browser knows about itself, its machine and
// its settings.
func (w *writer) writeEnvironment(t *jsontext.Text) {
	t.Open("environment")
	w.writeBuild(t)
	w.writePartner(t)
	w.writeSystem(t)
	w.writeSettings(t)
	t.Open("profile")
	t.Num("creationDate", w.client.created)
	if w.client.reset != 0 {
		t.Num("resetDate", w.client.reset)
	}
	t.Close()
	w.writeAddons(t)
	t.Open("experiments")
	for _, s := range w.studies {
		t.Name(s.id)
		t.Begin()
		t.Str("branch", s.branches[0])
		t.Close()
	}
	t.Close()
	t.Close()
}

func (w *writer) writeBuild(t *jsontext.Text) {
	arch, abi := w.architecture()
	t.Open("build")
	t.Str("applicationId", applicationID)
	t.Str("applicationName", w.app)
	t.Str("architecture", arch)
	t.Str("buildId", w.build.id)
	t.Str("version", w.build.version)
	t.Str("vendor", vendor)
	t.Str("displayVersion", w.build.display)
	t.Str("platformVersion", w.build.version)
	t.Str("xpcomAbi", abi)
	t.Bool("updaterAvailable", w.hardware.os.name != "Linux")
	if w.build.major < 57 {
		t.Null("hotfixVersion")
	}
	t.Close()
}

func (w *writer) writePartner(t *jsontext.Text) {
	t.Open("partner")
	if p := w.software.partner; p == "" {
		for _, name := range []string{"distributionId", "distributionVersion", "partnerId", "distributor", "distributorChannel"} {
			t.Null(name)
		}
		t.List("partnerNames", nil)
	} else {
		t.Str("distributionId", p)
		t.Str("distributionVersion", "1.0")
		t.Str("partnerId", p+"-partner")
		t.Str("distributor", p)
		t.Null("distributorChannel")
		t.List("partnerNames", []string{p})
	}
	t.Close()
}

func (w *writer) writeSettings(t *jsontext.Text) {
	s := &w.software
	t.Open("settings")
	t.Bool("blocklistEnabled", s.blocklist)
	t.Bool("e10sEnabled", s.e10s)
	t.Num("e10sMultiProcesses", s.processes)
	if w.build.major < 58 {
		t.Str("e10sCohort", "multiBucket4")
	}
	t.Bool("telemetryEnabled", s.telemetry)
	t.Str("locale", w.client.locale)
	t.Open("update")
	t.Str("channel", w.client.channel.name)
	t.Bool("enabled", s.update)
	t.Bool("autoDownload", s.download)
	t.Close()
	w.writePrefs(t)
	t.Open("sandbox")
	t.Num("effectiveContentProcessLevel", s.sandbox)
	t.Close()
	t.Bool("addonCompatibilityCheckEnabled", true)
	if s.isDefault == 2 {
		t.Null("isDefaultBrowser")
	} else {
		t.Bool("isDefaultBrowser", s.isDefault == 1)
	}
	w.writeEngine(t, &engines[s.engine])
	if s.cohort != "" {
		t.Str("searchCohort", s.cohort)
	}
	if a := s.source; a != nil {
		t.Open("attribution")
		for _, m := range [...][2]string{{"source", a.source}, {"medium", a.medium}, {"campaign", a.campaign}, {"content", a.content}} {
			if m[1] != "" {
				t.Str(m[0], m[1])
			}
		}
		t.Close()
	}
	t.Close()
}

func (w *writer) writeEngine(t *jsontext.Text, e *engine) {
	if e.id == "" {
		t.Str("defaultSearchEngine", "NONE")
		t.Open("defaultSearchEngineData")
		t.Str("name", "NONE")
		t.Close()
		return
	}
	t.Str("defaultSearchEngine", e.id)
	t.Open("defaultSearchEngineData")
	t.Str("name", e.name)
	t.Str("loadPath", e.path)
	t.Str("origin", e.origin)
	if e.url != "" {
		t.Str("submissionURL", e.url)
	}
	t.Close()
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

func (w *writer) writePrefs(t *jsontext.Text) {
	t.Open("userPrefs")
	for i := range preferences {
		if p := &preferences[i]; i == 0 || w.prefs>>i&1 != 0 {
			t.Key(p.name)
			t.Raw(p.values[w.client.size%len(p.values)])
			t.Raw(",")
		}
	}
	t.Close()
}

func (w *writer) writeAddons(t *jsontext.Text) {
	s := &w.software
	t.Open("addons")
	t.Open("activeAddons")
	for i := range s.addons {
		t.Name(s.addons[i].id)
		t.Begin()
		w.writeAddon(t, &s.addons[i])
		t.Close()
	}
	t.Close()
	t.Open("theme")
	t.Str("id", s.theme.id)
	writeAddonHead(t, &s.theme)
	t.Num("scope", 4)
	writeAddonFoot(t, &s.theme)
	t.Close()
	w.writePlugins(t)
	t.Open("activeGMPlugins")
	for _, p := range [][2]string{{"gmp-gmpopenh264", "1.7.1"}, {"gmp-widevinecdm", "1.4.8.1008"}}[:1+w.client.size%2] {
		t.Open(p[0])
		t.Str("version", p[1])
		t.Bool("userDisabled", false)
		t.Num("applyBackgroundUpdates", 1)
		t.Close()
	}
	t.Close()
	t.Open("activeExperiment")
	if s.experiment != "" {
		t.Str("id", s.experiment)
		t.Str("branch", s.branch)
	}
	t.Close()
	if s.theme.foreign {
		t.Str("persona", s.theme.id)
	} else {
		t.Null("persona")
	}
	t.Close()
}

func writeAddonHead(t *jsontext.Text, a *addon) {
	t.Bool("blocklisted", false)
	t.StrOrNull("description", a.description)
	t.Str("name", a.name)
	t.Bool("userDisabled", false)
	t.Bool("appDisabled", false)
	t.Str("version", a.version)
}

func writeAddonFoot(t *jsontext.Text, a *addon) {
	t.Bool("foreignInstall", a.foreign)
	t.Bool("hasBinaryComponents", false)
	t.Num("installDay", a.installed)
	t.Num("updateDay", a.updated)
}

func (w *writer) writeAddon(t *jsontext.Text, a *addon) {
	writeAddonHead(t, a)
	t.Num("scope", 1)
	t.Str("type", "extension")
	writeAddonFoot(t, a)
	if !a.system {
		t.Num("signedState", a.signed)
	}
	t.Bool("isSystem", a.system)
	t.Bool("isWebExtension", a.web)
	if w.build.major < 60 {
		t.Bool("multiprocessCompatible", !a.legacy)
	}
}

func (w *writer) writePlugins(t *jsontext.Text) {
	t.OpenList("activePlugins")
	for i := range w.plugins {
		p := &w.plugins[i]
		t.Begin()
		t.Str("name", p.name)
		t.Str("version", p.version)
		t.Str("description", p.description)
		t.Bool("blocklisted", false)
		t.Bool("disabled", p.disabled)
		t.Bool("clicktoplay", p.click)
		t.List("mimeTypes", []string{p.mime})
		t.Num("updateDay", p.day)
		t.Close()
	}
	t.CloseList()
}
