/* Firefox records a crashed content process only if PR_SET_PTRACER works, which a kernel without Yama refuses. There every
process may be traced anyway, so the call may succeed. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int prctl(int option, ...)
{
	unsigned long a[4];
	va_list list;
	va_start(list, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_PTRACER)
		return 0;
	return syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}
