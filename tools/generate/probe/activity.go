package probe

// Activity describes the events of a subsession.
type Activity struct {
	Length, SessionLength int // seconds
	Size                  int // bytes that the ping shall have
	Level                 int // how much there is to count
	Ticks                 int // five-second intervals of use
	Pages, Domains        int
	Tabs, Opened          int
	Windows, NewWindows   int
	FirstPaint            int // ms
}
