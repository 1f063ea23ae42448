package generate

// securities are what protects a machine: virus, spyware, firewall. An empty
// member is not known.
var securities = [][3][]string{
	{{"Windows Defender"}, {"Windows Defender"}, {"Windows Firewall"}},
	{{"Windows Defender Antivirus"}, {"Windows Defender Antivirus"}, nil},
	{{"Example Antivirus"}, {"Example Antivirus", "Windows Defender"}, {"Example Firewall"}},
	{{"Guard 360", "Windows Defender"}, {"Guard 360"}, {}},
	{{}, {"Windows Defender"}, {}},
}

func (w *writer) writeSystem(t *text) {
	h := &w.hardware
	t.open("system")
	t.num("memoryMB", h.memory)
	if h.os.name == windows {
		if h.bits == 32 {
			t.num("virtualMaxMB", 4095)
		} else {
			t.num("virtualMaxMB", 134_217_728)
		}
		t.bool("isWow64", h.wow64)
	} else {
		t.null("virtualMaxMB")
	}
	t.strOrNull("appleModelId", h.model)
	h.writeCPU(t)
	h.writeOS(t, w.client.locale)
	t.open("hdd")
	for i, name := range []string{"profile", "binary", "system"} {
		disk := disks[h.disk]
		if i > 0 && h.bits == 32 {
			disk = disks[len(disks)-1]
		}
		t.open(name)
		t.strOrNull("model", disk[0])
		t.strOrNull("revision", disk[1])
		t.close()
	}
	t.close()
	h.writeGraphics(t)
	if h.os.name == windows && h.os.version != "6.0" {
		t.open("sec")
		for i, name := range []string{"antivirus", "antispyware", "firewall"} {
			if list := securities[h.security][i]; list == nil {
				t.null(name)
			} else {
				t.list(name, list)
			}
		}
		t.close()
	}
	t.close()
}

func (h *hardware) writeCPU(t *text) {
	c := &h.cpu
	t.open("cpu")
	t.num("count", c.count)
	t.numOrNull("cores", c.cores)
	t.strOrNull("vendor", c.vendor)
	t.numOrNull("family", c.family)
	t.numOrNull("model", c.model)
	t.numOrNull("stepping", c.stepping)
	t.numOrNull("l2cacheKB", c.l2)
	t.numOrNull("l3cacheKB", c.l3)
	t.numOrNull("speedMHz", c.speed)
	t.list("extensions", extensions[:c.extensions])
	t.close()
}

func (h *hardware) writeOS(t *text, locale string) {
	t.open("os")
	t.str("name", h.os.name)
	t.str("version", h.os.version)
	t.str("locale", locale)
	if h.os.name == windows {
		t.num("servicePackMajor", h.os.pack)
		t.num("servicePackMinor", 0)
		t.num("windowsBuildNumber", h.os.build)
		if h.os.version == "10.0" {
			t.num("windowsUBR", h.os.ubr)
		} else {
			t.null("windowsUBR")
		}
		t.num("installYear", h.year)
	}
	t.close()
}

func (h *hardware) writeGraphics(t *text) {
	onWindows := h.os.name == windows
	t.open("gfx")
	if onWindows {
		t.bool("D2DEnabled", h.features > 1)
		t.bool("DWriteEnabled", true)
	} else {
		t.null("D2DEnabled")
		t.null("DWriteEnabled")
	}
	t.str("ContentBackend", "Skia")
	t.openList("adapters")
	for i := range h.adapters {
		a := &h.adapters[i]
		t.begin()
		t.strOrNull("description", a.description)
		t.strOrNull("vendorID", a.vendor)
		t.strOrNull("deviceID", a.device)
		t.strOrNull("subsysID", a.subsystem)
		t.numOrNull("RAM", a.ram)
		t.strOrNull("driver", a.driver)
		t.strOrNull("driverVersion", a.version)
		t.strOrNull("driverDate", a.date)
		t.bool("GPUActive", i == 0)
		t.close()
	}
	t.closeList()
	h.writeMonitors(t, onWindows)
	h.writeFeatures(t, onWindows)
	t.close()
}

func (h *hardware) writeMonitors(t *text, onWindows bool) {
	t.openList("monitors")
	for _, m := range h.monitors {
		t.begin()
		t.num("screenWidth", m.width)
		t.num("screenHeight", m.height)
		if onWindows {
			t.num("refreshRate", 60)
			t.bool("pseudoDisplay", false)
		}
		if h.scale > 4 {
			t.key("scale")
			t.raw([...]string{"1.25", "1.5", "1.75", "2"}[min(h.scale, 8)-5])
			t.raw(",")
		}
		t.close()
	}
	t.closeList()
}

var (
	d3d11Statuses    = []string{"blacklisted", "unavailable", "available", "available"}
	d2dStatuses      = []string{"disabled", "unavailable", "available", "available"}
	compositors      = []string{"basic", "d3d9", "d3d11", "d3d11"}
	otherCompositors = []string{"none", "basic", "opengl", "opengl"}
	layersStatuses   = []string{"unused", "blocked-no-texture-sharing", "available", "available"}
)

func (h *hardware) writeFeatures(t *text, onWindows bool) {
	t.open("features")
	if !onWindows {
		t.str("compositor", otherCompositors[h.features])
		t.open("gpuProcess")
		t.str("status", "unused")
		t.close()
		t.close()
		return
	}
	t.str("compositor", compositors[h.features])
	t.open("d3d11")
	t.str("status", d3d11Statuses[h.features])
	if h.features > 1 {
		t.num("version", 45056)
		t.bool("warp", false)
		t.bool("textureSharing", true)
		t.bool("blacklisted", false)
	}
	t.close()
	t.open("d2d")
	t.str("status", d2dStatuses[h.features])
	if h.features > 1 {
		t.str("version", "1.1")
	}
	t.close()
	t.open("gpuProcess")
	if h.gpu {
		t.str("status", "available")
	} else {
		t.str("status", "unavailable")
	}
	t.close()
	t.open("advancedLayers")
	t.str("status", layersStatuses[h.features])
	t.close()
	t.close()
}
