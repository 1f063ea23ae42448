package generate

import "github.com/pingmill/pingmill/tools/generate/jsontext"

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
	t.PutIf(w.build.current(), "firstUseDate", w.client.created)
	t.PutIf(w.client.reset != 0, "resetDate", w.client.reset)
	t.Close()
	w.writeAddons(t)
	t.Open("experiments")
	for _, s := range w.studies {
		t.Name(s.id)
		study := jsontext.Members{"branch", s.branches[0]}
		if w.build.current() {
			study = append(study, "type", "nimbus-nimbus")
		}
		t.Add(study)
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
	t.PutIf(w.build.major < 57, "hotfixVersion", nil)
	t.Close()
}

func (w *writer) writePartner(t *jsontext.Text) {
	p := w.software.partner
	if p == "" {
		t.Object("partner", "distributionId", nil, "distributionVersion", nil, "partnerId", nil, "distributor", nil,
			"distributorChannel", nil, "partnerNames", jsontext.List{})
		return
	}
	t.Object("partner", "distributionId", p, "distributionVersion", "1.0", "partnerId", p+"-partner", "distributor", p,
		"distributorChannel", nil, "partnerNames", jsontext.List{p})
}

func (w *writer) writeSettings(t *jsontext.Text) {
	s := &w.software
	t.Open("settings")
	t.Put("blocklistEnabled", s.blocklist, "e10sEnabled", s.e10s, "e10sMultiProcesses", s.processes)
	t.PutIf(w.build.major < 58, "e10sCohort", "multiBucket4")
	t.PutIf(w.build.current(), "fissionEnabled", true)
	t.PutIf(!w.build.current(), "telemetryEnabled", s.telemetry)
	t.Put("locale", w.client.locale)
	if w.build.current() {
		writeLocales(t, w.client.locale)
	}
	t.Put("update", jsontext.Members{"channel", w.client.channel.name, "enabled", s.update, "autoDownload", s.download})
	w.writePrefs(t)
	t.Put("sandbox", jsontext.Members{"effectiveContentProcessLevel", s.sandbox}, "addonCompatibilityCheckEnabled", true,
		"isDefaultBrowser", [...]any{false, true, nil}[s.isDefault])
	w.writeEngine(t, &engines[s.engine])
	t.PutIf(s.cohort != "", "searchCohort", s.cohort)
	if a := s.source; a != nil {
		t.Open("attribution")
		for _, m := range [...][2]string{{"source", a.source}, {"medium", a.medium}, {"campaign", a.campaign}, {"content", a.content}} {
			t.PutIf(m[1] != "", m[0], m[1])
		}
		t.Close()
	}
	t.Close()
}

func (w *writer) writeEngine(t *jsontext.Text, e *engine) {
	if e.id == "" {
		t.Put("defaultSearchEngine", "NONE", "defaultSearchEngineData", jsontext.Members{"name", "NONE"})
		return
	}
	t.Put("defaultSearchEngine", e.id)
	t.Open("defaultSearchEngineData")
	t.Put("name", e.name, "loadPath", e.path, "origin", e.origin)
	t.PutIf(e.url != "", "submissionURL", e.url)
	t.Close()
}

// preferences lists values of userPrefs: preferences with a column, some of them with a value of another type, and
// others. Values are JSON.
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
			t.Put(p.name, jsontext.Raw(p.values[w.client.size%len(p.values)]))
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
	if !w.build.current() {
		w.writePlugins(t)
	}
	t.Open("activeGMPlugins")
	for _, p := range [][2]string{{"gmp-gmpopenh264", "1.7.1"}, {"gmp-widevinecdm", "1.4.8.1008"}}[:1+w.client.size%2] {
		t.Object(p[0], "version", p[1], "userDisabled", false, "applyBackgroundUpdates", 1)
	}
	t.Close()
	if !w.build.current() {
		t.Open("activeExperiment")
		t.PutIf(s.experiment != "", "id", s.experiment, "branch", s.branch)
		t.Close()
		t.Put("persona", when(s.theme.foreign, s.theme.id))
	}
	t.Close()
}

func writeAddonHead(t *jsontext.Text, a *addon) {
	t.Put(
		"blocklisted", false, "description", orNull(a.description), "name", a.name, "userDisabled", false,
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
	t.PutIf(!a.system, "signedState", a.signed)
	t.Put("isSystem", a.system, "isWebExtension", a.web)
	t.PutIf(w.build.major < 60, "multiprocessCompatible", !a.legacy)
}

func (w *writer) writePlugins(t *jsontext.Text) {
	t.OpenList("activePlugins")
	for i := range w.plugins {
		p := &w.plugins[i]
		t.Add(jsontext.Members{
			"name", p.name, "version", p.version, "description", p.description, "blocklisted", false,
			"disabled", p.disabled, "clicktoplay", p.click, "mimeTypes", jsontext.List{p.mime}, "updateDay", p.day,
		})
	}
	t.CloseList()
}

// when returns a value, or null.
func when[T any](ok bool, v T) any {
	if ok {
		return v
	}
	return nil
}

// orNull returns a value, null when it is the zero value.
func orNull[T comparable](v T) any {
	var zero T
	return when(v != zero, v)
}
