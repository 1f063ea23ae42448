package generate

import "strconv"

const (
	vendor        = "Mozilla"
	applicationID = "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
)

// writeDocument writes the document of the outline to w.doc.
func (w *writer) writeDocument() {
	g := w.g
	w.hardware = g.hardware(&w.client)
	w.software = g.software(&w.client, &w.build, &w.hardware, w.entry.changes)
	r := newRandom(g.config.Seed, forDocument, w.client.number, uint64(w.entry.serial))
	var a activity
	if w.entry.kind == mainPing {
		a = w.activity()
	}
	w.writeTail(&r, &a)
	t := &w.doc
	t.b = t.b[:0]
	t.begin()
	t.str("type", string(w.docType))
	t.uuid("id", g.config.Seed, forDocumentID, w.client.number, uint64(w.entry.serial))
	t.instant("creationDate", w.clock(w.entry.made))
	t.key("version")
	t.raw(w.version)
	t.raw(",")
	w.writeApplication(t)
	switch w.entry.kind {
	case mainPing:
		w.writeMain(t, &r, &a)
	case crashPing:
		w.writeCrash(t, &r)
	case newProfilePing:
		t.open("payload")
		t.str("reason", reasonNames[w.entry.reason])
		t.close()
	case updatePing:
		w.writeUpdate(t)
	}
	t.b = append(t.b, w.tail.b...)
	t.close()
	t.b = t.b[:len(t.b)-1] // the comma
}

// writeTail writes what follows the histograms of a main ping, whose size has to
// be known before them, or the payload of another ping.
func (w *writer) writeTail(r *random, a *activity) {
	t := &w.tail
	t.b = t.b[:0]
	if w.entry.kind == mainPing {
		w.writeBallast(t, r, a)
		w.writeInfo(t, a)
		t.close() // the payload
	}
	if !w.client.null {
		t.word("clientId", w.client.id[:])
	}
	w.writeEnvironment(t)
}

func (w *writer) architecture() (arch, abi string) {
	switch {
	case w.hardware.os.name != windows:
		return "x86-64", "x86_64-gcc3"
	case w.bits == 32:
		return "x86", "x86-msvc"
	}
	return "x86-64", "x86_64-msvc"
}

func (w *writer) writeApplication(t *text) {
	arch, abi := w.architecture()
	t.open("application")
	t.str("architecture", arch)
	t.str("buildId", w.build.id)
	t.str("name", w.app)
	t.str("version", w.build.version)
	t.str("displayVersion", w.build.display)
	t.str("vendor", vendor)
	t.str("platformVersion", w.build.version)
	t.str("xpcomAbi", abi)
	t.str("channel", w.client.channel.name)
	t.close()
}

// writeUpdate writes the payload of an update ping: what is to come, or what was
// before.
func (w *writer) writeUpdate(t *text) {
	other := w.client.channel.build(int(w.entry.previous))
	t.open("payload")
	t.str("reason", reasonNames[w.entry.reason])
	if w.entry.reason == ready {
		t.str("targetChannel", w.client.channel.name)
		t.str("targetVersion", other.version)
		t.str("targetBuildId", other.id)
		t.str("targetDisplayVersion", other.display)
	} else {
		t.str("previousChannel", w.client.channel.name)
		t.str("previousVersion", other.version)
		t.str("previousBuildId", other.id)
	}
	t.close()
}

// writeCrash writes the payload of a crash ping. Its metadata are texts.
func (w *writer) writeCrash(t *text, r *random) {
	e := w.entry
	at := w.clock(e.made)
	t.open("payload")
	t.num("version", 1)
	t.key("crashDate")
	t.b = appendTime(t.b, at, `"2006-01-02",`)
	t.key("crashTime")
	t.b = appendTime(t.b, at, `"2006-01-02T15:00:00.000Z",`)
	t.uuid("sessionId", w.g.config.Seed, forSessionID, w.client.number, uint64(e.session))
	t.key("crashId")
	t.b = append(t.b, '"')
	t.b = append(r.appendUUID(t.b), '"', ',')
	if e.process != mainProcess || !r.oneIn(5) {
		t.str("processType", processNames[e.process])
	}
	t.bool("hasCrashEnvironment", true)
	w.writeCrashMetadata(t, r, at)
	if r.oneIn(3) {
		writeStackTraces(t, r)
	}
	t.close()
}

func (w *writer) writeCrashMetadata(t *text, r *random, at int64) {
	number := func(name string, v int) { t.str(name, strconv.Itoa(v)) }
	t.open("metadata")
	t.str("ProductID", applicationID)
	t.str("ProductName", w.app)
	t.str("ReleaseChannel", w.client.channel.name)
	t.str("Version", w.build.version)
	t.str("BuildID", w.build.id)
	number("CrashTime", int(at/second))
	number("StartupCrash", r.below(20)/19)
	number("SecondsSinceLastCrash", r.span(60, 10_000_000))
	t.str("UptimeTS", strconv.Itoa(r.span(5, 200_000))+".8150704")
	if w.hardware.os.name == windows {
		number("AvailablePageFile", r.span(1<<28, 1<<34))
		number("AvailablePhysicalMemory", r.span(1<<26, 1<<33))
		number("AvailableVirtualMemory", r.span(1<<28, 1<<47))
		number("SystemMemoryUsePercentage", r.between(20, 99))
		number("TotalPageFile", w.memory*2<<20)
		number("TotalPhysicalMemory", w.memory<<20)
		number("TotalVirtualMemory", 1<<47-131_072)
	}
	if w.entry.process == contentProcess {
		t.str("ipc_channel_error", "ShutDownKill")
	}
	if r.oneIn(6) {
		t.str("IsGarbageCollecting", "1")
	}
	if r.oneIn(4) {
		number("EventLoopNestingLevel", r.between(1, 4))
	}
	if r.oneIn(9) {
		number("OOMAllocationSize", r.span(16, 1<<28))
	}
	if r.oneIn(10) {
		t.str("MozCrashReason", "MOZ_RELEASE_ASSERT(index < length) (\"out of range\")")
	}
	t.close()
}

// writeStackTraces writes where the threads were.
func writeStackTraces(t *text, r *random) {
	t.open("stackTraces")
	t.open("crash_info")
	t.str("type", "EXCEPTION_ACCESS_VIOLATION_READ")
	t.str("address", "0x"+strconv.FormatUint(r.Uint64()>>20, 16))
	t.num("crashing_thread", 0)
	t.close()
	t.num("main_module", 0)
	t.openList("modules")
	for _, m := range moduleNames[:3] {
		t.begin()
		t.str("filename", m)
		t.str("base_addr", "0x"+strconv.FormatUint(r.Uint64()>>24, 16))
		t.close()
	}
	t.closeList()
	t.openList("threads")
	for n := r.between(1, 4); n > 0; n-- {
		t.begin()
		t.openList("frames")
		for f := r.between(2, 20); f > 0; f-- {
			t.begin()
			t.str("ip", "0x"+strconv.FormatUint(r.Uint64()>>24, 16))
			t.num("module_index", r.below(3))
			t.str("trust", pick(r, []string{"context", "cfi", "scan"}))
			t.close()
		}
		t.closeList()
		t.close()
	}
	t.closeList()
	t.close()
}
