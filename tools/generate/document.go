package generate

import (
	"strconv"

	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

const (
	vendor        = "Mozilla"
	applicationID = "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
)

// writeDocument writes the document of the outline to w.doc.
func (w *writer) writeDocument() {
	g := w.g
	w.hardware = g.hardware(&w.client)
	w.software = g.software(&w.client, &w.build, &w.hardware, w.entry.changes)
	r := random.New(g.config.Seed, random.ForDocument, w.client.number, uint64(w.entry.serial))
	var a probe.Activity
	if w.entry.kind == mainPing {
		a = w.activity()
	}
	w.writeTail(&r, &a)
	t := &w.doc
	t.B = t.B[:0]
	t.Begin()
	t.Put("type", string(w.docType))
	t.UUID("id", g.config.Seed, random.ForDocumentID, w.client.number, uint64(w.entry.serial))
	t.Instant("creationDate", w.clock(w.entry.made))
	t.Put("version", jsontext.Raw(w.version))
	w.writeApplication(t)
	switch w.entry.kind {
	case mainPing:
		w.writeMain(t, &r, &a)
	case crashPing:
		w.writeCrash(t, &r)
	case newProfilePing:
		t.Object("payload", "reason", reasonNames[w.entry.reason])
	case updatePing:
		w.writeUpdate(t)
	case eventPing:
		currentWriter{w}.writeEventPing(t, &r)
	}
	t.B = append(t.B, w.tail.B...)
	t.Close()
	t.B = t.B[:len(t.B)-1] // the comma
}

// writeTail writes what follows the histograms of a main ping, whose size has to
// be known before them, or the payload of another ping.
func (w *writer) writeTail(r *random.Source, a *probe.Activity) {
	t := &w.tail
	t.B = t.B[:0]
	if w.entry.kind == mainPing {
		if w.build.current() {
			currentWriter{w}.writeBallast(t, r, a)
		} else {
			w.writeBallast(t, r, a)
		}
		w.writeInfo(t, a)
		t.Close() // the payload
	}
	if !w.client.null {
		t.Word("clientId", w.client.id[:])
		if w.build.current() {
			t.UUID("profileGroupId", w.g.config.Seed, random.ForGleanID, w.client.number, 3)
		}
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

func (w *writer) writeApplication(t *jsontext.Text) {
	arch, abi := w.architecture()
	t.Object("application",
		"architecture", arch, "buildId", w.build.id, "name", w.app, "version", w.build.version,
		"displayVersion", w.build.display, "vendor", vendor, "platformVersion", w.build.version, "xpcomAbi", abi,
		"channel", w.client.channel.name,
	)
}

// writeUpdate writes the payload of an update ping: the coming version or the previous one.
func (w *writer) writeUpdate(t *jsontext.Text) {
	other := w.client.channel.build(int(w.entry.previous))
	kind := "previous"
	if w.entry.reason == ready {
		kind = "target"
	}
	t.Open("payload")
	t.Put("reason", reasonNames[w.entry.reason], kind+"Channel", w.client.channel.name,
		kind+"Version", other.version, kind+"BuildId", other.id)
	t.PutIf(w.entry.reason == ready, "targetDisplayVersion", other.display)
	t.Close()
}

// writeCrash writes the payload of a crash ping. Its metadata are texts.
func (w *writer) writeCrash(t *jsontext.Text, r *random.Source) {
	e := w.entry
	at := w.clock(e.made)
	t.Open("payload")
	t.Put("version", 1)
	t.Key("crashDate")
	t.B = jsontext.AppendTime(t.B, at, `"2006-01-02",`)
	t.Key("crashTime")
	t.B = jsontext.AppendTime(t.B, at, `"2006-01-02T15:00:00.000Z",`)
	t.UUID("sessionId", w.g.config.Seed, random.ForSessionID, w.client.number, uint64(e.session))
	t.Key("crashId")
	t.B = append(t.B, '"')
	t.B = append(r.AppendUUID(t.B), '"', ',')
	if e.process != mainProcess || !r.OneIn(5) {
		t.Put("processType", processNames[e.process])
	}
	t.Put("hasCrashEnvironment", true)
	w.writeCrashMetadata(t, r, at)
	if r.OneIn(3) {
		writeStackTraces(t, r)
	}
	t.Close()
}

func (w *writer) writeCrashMetadata(t *jsontext.Text, r *random.Source, at int64) {
	t.Open("metadata")
	t.Put(
		"ProductID", applicationID, "ProductName", w.app, "ReleaseChannel", w.client.channel.name,
		"Version", w.build.version, "BuildID", w.build.id,
	)
	t.Put("CrashTime", strconv.Itoa(int(at/second)), "StartupCrash", strconv.Itoa(r.Below(20)/19),
		"SecondsSinceLastCrash", strconv.Itoa(r.Span(60, 10_000_000)), "UptimeTS", strconv.Itoa(r.Span(5, 200_000))+".8150704")
	if w.hardware.os.name == windows {
		t.Put("AvailablePageFile", strconv.Itoa(r.Span(1<<28, 1<<34)), "AvailablePhysicalMemory", strconv.Itoa(r.Span(1<<26, 1<<33)),
			"AvailableVirtualMemory", strconv.Itoa(r.Span(1<<28, 1<<47)), "SystemMemoryUsePercentage", strconv.Itoa(r.Between(20, 99)),
			"TotalPageFile", strconv.Itoa(w.memory*2<<20), "TotalPhysicalMemory", strconv.Itoa(w.memory<<20),
			"TotalVirtualMemory", strconv.Itoa(1<<47-131_072))
	}
	t.PutIf(w.entry.process == contentProcess, "ipc_channel_error", "ShutDownKill")
	t.PutIf(r.OneIn(6), "IsGarbageCollecting", "1")
	if r.OneIn(4) {
		t.Put("EventLoopNestingLevel", strconv.Itoa(r.Between(1, 4)))
	}
	if r.OneIn(9) {
		t.Put("OOMAllocationSize", strconv.Itoa(r.Span(16, 1<<28)))
	}
	t.PutIf(r.OneIn(10), "MozCrashReason", "MOZ_RELEASE_ASSERT(index < length) (\"out of range\")")
	t.Close()
}

// hexAddress draws an address without its lowest bits.
func hexAddress(r *random.Source, without int) string {
	return "0x" + strconv.FormatUint(r.Uint64()>>without, 16)
}

// writeStackTraces writes where the threads were.
func writeStackTraces(t *jsontext.Text, r *random.Source) {
	t.Open("stackTraces")
	t.Put("crash_info", jsontext.Members{
		"type", "EXCEPTION_ACCESS_VIOLATION_READ", "address", hexAddress(r, 20), "crashing_thread", 0,
	}, "main_module", 0)
	t.OpenList("modules")
	for _, m := range moduleNames[:3] {
		t.Add(jsontext.Members{"filename", m, "base_addr", hexAddress(r, 24)})
	}
	t.CloseList()
	t.OpenList("threads")
	for n := r.Between(1, 4); n > 0; n-- {
		t.Begin()
		t.OpenList("frames")
		for f := r.Between(2, 20); f > 0; f-- {
			t.Add(jsontext.Members{
				"ip", hexAddress(r, 24), "module_index", r.Below(3), "trust", random.Pick(r, []string{"context", "cfi", "scan"}),
			})
		}
		t.CloseList()
		t.Close()
	}
	t.CloseList()
	t.Close()
}
