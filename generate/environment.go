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
	t.Put("creationDate", w.client.created)
	if w.client.reset != 0 {
		t.Put("resetDate", w.client.reset)
	}
	t.Close()
	w.writeAddons(t)
	t.Open("experiments")
	for _, s := range w.studies {
		t.Name(s.id)
		t.Begin()
		t.Put("branch", s.branches[0])
		t.Close()
	}
	t.Close()
	t.Close()
}

func (w *writer) writeBuild(t *jsontext.Text) {
	arch, abi := w.architecture()
	t.Open("build")
	t.Put(
		"applicationId", applicationID, "applicationName", w.app, "architecture", arch, "buildId", w.build.id,
		"version", w.build.version, "vendor", vendor, "displayVersion", w.build.display,
		"platformVersion", w.build.version, "xpcomAbi", abi, "updaterAvailable", w.hardware.os.name != "Linux",
	)
	if w.build.major < 57 {
		t.Put("hotfixVersion", nil)
	}
	t.Close()
}

func (w *writer) writePartner(t *jsontext.Text) {
	t.Open("partner")
	if p := w.software.partner; p == "" {
		for _, name := range []string{"distributionId", "distributionVersion", "partnerId", "distributor", "distributorChannel"} {
			t.Put(name, nil)
		}
		t.Put("partnerNames", []string(nil))
	} else {
		t.Put(
			"distributionId", p, "distributionVersion", "1.0", "partnerId", p+"-partner", "distributor", p,
			"distributorChannel", nil, "partnerNames", []string{p},
		)
	}
	t.Close()
}

func (w *writer) writeSettings(t *jsontext.Text) {
	s := &w.software
	t.Open("settings")
	t.Put("blocklistEnabled", s.blocklist, "e10sEnabled", s.e10s, "e10sMultiProcesses", s.processes)
	if w.build.major < 58 {
		t.Put("e10sCohort", "multiBucket4")
	}
	t.Put("telemetryEnabled", s.telemetry, "locale", w.client.locale)
	t.Object("update", "channel", w.client.channel.name, "enabled", s.update, "autoDownload", s.download)
	w.writePrefs(t)
	t.Object("sandbox", "effectiveContentProcessLevel", s.sandbox)
	t.Put("addonCompatibilityCheckEnabled", true)
	if s.isDefault == 2 {
		t.Put("isDefaultBrowser", nil)
	} else {
		t.Put("isDefaultBrowser", s.isDefault == 1)
	}
	w.writeEngine(t, &engines[s.engine])
	if s.cohort != "" {
		t.Put("searchCohort", s.cohort)
	}
	if a := s.source; a != nil {
		t.Open("attribution")
		for _, m := range [...][2]string{{"source", a.source}, {"medium", a.medium}, {"campaign", a.campaign}, {"content", a.content}} {
			if m[1] != "" {
				t.Put(m[0], m[1])
			}
		}
		t.Close()
	}
	t.Close()
}

func (w *writer) writeEngine(t *jsontext.Text, e *engine) {
	if e.id == "" {
		t.Put("defaultSearchEngine", "NONE")
		t.Object("defaultSearchEngineData", "name", "NONE")
		return
	}
	t.Put("defaultSearchEngine", e.id)
	t.Open("defaultSearchEngineData")
	t.Put("name", e.name, "loadPath", e.path, "origin", e.origin)
	if e.url != "" {
		t.Put("submissionURL", e.url)
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
	t.Put("id", s.theme.id)
	writeAddonHead(t, &s.theme)
	t.Put("scope", 4)
	writeAddonFoot(t, &s.theme)
	t.Close()
	w.writePlugins(t)
	t.Open("activeGMPlugins")
	for _, p := range [][2]string{{"gmp-gmpopenh264", "1.7.1"}, {"gmp-widevinecdm", "1.4.8.1008"}}[:1+w.client.size%2] {
		t.Object(p[0], "version", p[1], "userDisabled", false, "applyBackgroundUpdates", 1)
	}
	t.Close()
	t.Open("activeExperiment")
	if s.experiment != "" {
		t.Put("id", s.experiment, "branch", s.branch)
	}
	t.Close()
	if s.theme.foreign {
		t.Put("persona", s.theme.id)
	} else {
		t.Put("persona", nil)
	}
	t.Close()
}

func writeAddonHead(t *jsontext.Text, a *addon) {
	t.Put(
		"blocklisted", false, "description", jsontext.NonEmpty(a.description), "name", a.name, "userDisabled", false,
		"appDisabled", false, "version", a.version,
	)
}

func writeAddonFoot(t *jsontext.Text, a *addon) {
	t.Put("foreignInstall", a.foreign, "hasBinaryComponents", false, "installDay", a.installed, "updateDay", a.updated)
}

func (w *writer) writeAddon(t *jsontext.Text, a *addon) {
	writeAddonHead(t, a)
	t.Put("scope", 1, "type", "extension")
	writeAddonFoot(t, a)
	if !a.system {
		t.Put("signedState", a.signed)
	}
	t.Put("isSystem", a.system, "isWebExtension", a.web)
	if w.build.major < 60 {
		t.Put("multiprocessCompatible", !a.legacy)
	}
}

func (w *writer) writePlugins(t *jsontext.Text) {
	t.OpenList("activePlugins")
	for i := range w.plugins {
		p := &w.plugins[i]
		t.Begin()
		t.Put(
			"name", p.name, "version", p.version, "description", p.description, "blocklisted", false,
			"disabled", p.disabled, "clicktoplay", p.click, "mimeTypes", []string{p.mime}, "updateDay", p.day,
		)
		t.Close()
	}
	t.CloseList()
}
