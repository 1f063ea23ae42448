"""What ten people do with their browser. Each function has a Firefox that runs, and may end and start it."""

import time


def browses(f):
    """Visits pages in two sessions."""
    f.visit(1, 2, 3)
    f.follow(4)
    f.quit()
    f.start()
    f.visit(10, 11)


def searches(f):
    """Searches in the address bar with an engine of the company."""
    f.own_engine()
    f.search("first words", "second words", "third words")
    f.visit(1)


def crashes_a_page(f):
    """A content process crashes, and the page is visited again."""
    f.visit(1, 2)
    f.load("about:crashcontent")
    f.recorder.crash_pings(f, 1)
    f.driver.switch_to_window(f.driver.window_handles[0])
    f.visit(3)


def crashes_the_browser(f):
    """The browser itself crashes; the next session finds it."""
    f.visit(1, 2)
    time.sleep(5)
    f.load("about:crashparent")
    f.close(60)
    f.recorder.crash_pings(f, 1)
    f.start()
    f.visit(3)
    time.sleep(5)


def goes_away(f):
    """Types something, and is idle before the session ends."""
    f.own_engine()
    f.search("words before a break")
    f.visit(1, 2)
    time.sleep(15)


def turns_collection_off(f):
    """Browses, and then turns data collection off."""
    f.visit(1, 2, 3)
    time.sleep(10)
    f.prefs["datareporting.healthreport.uploadEnabled"] = False
    f.script('Services.prefs.setBoolPref("datareporting.healthreport.uploadEnabled", false);')
    time.sleep(5)


def turns_everything_off(f):
    """Turns usage reports off, too, after a second session."""
    f.visit(1)
    f.quit()
    f.start()
    f.visit(2)
    time.sleep(10)
    for name in "datareporting.usage.uploadEnabled", "datareporting.healthreport.uploadEnabled":
        f.prefs[name] = False
        f.script("Services.prefs.setBoolPref(arguments[0], false);", name)
        time.sleep(5)


def is_killed(f):
    """The session ends without a shutdown."""
    f.visit(1, 2, 3, 4)
    time.sleep(10)  # until an aborted-session ping is on disk
    f.kill()
    f.start()
    f.visit(5)


def opens_windows(f):
    """Opens tabs and windows, a private one among them."""
    first = f.driver.current_window_handle
    for kind, private in ("tab", False), ("tab", False), ("window", False), ("window", True):
        f.driver.switch_to_window(f.driver.open(type=kind, private=private)["handle"])
        f.visit(1)
    f.driver.switch_to_window(first)
    f.visit(2, 3)


def travels(f):
    """Is in another time zone, a day later by its clock, so that the metrics ping is due."""
    f.visit(1, 2)
    time.sleep(5)
    f.quit()
    f.start(zone="TRV-20")
    f.visit(3)
    f.own_engine()
    f.search("words elsewhere")
    time.sleep(10)


ALL = {
    "browses": (browses, {}),
    "searches": (searches, {}),
    "crashes a page": (crashes_a_page, {}),
    "crashes the browser": (crashes_the_browser, {}),
    "goes away": (goes_away, {"telemetry.fog.test.inactivity_limit": 3}),
    "turns collection off": (turns_collection_off, {}),
    "turns everything off": (turns_everything_off, {}),
    "is killed": (is_killed, {}),
    "opens windows": (opens_windows, {}),
    "travels": (travels, {}),
}
