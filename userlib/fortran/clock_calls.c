/* SPDX-License-Identifier: MIT */
/* Date and time as VMS gave them and other machines copied it: CALL DATE(C9), CALL TIME(C8),
 * CALL IDATE(MONTH, DAY, YEAR). Every run takes place on the first day of 1970. */
#include <string.h>
#include <time.h>

/* Of the text, as much as the caller's variable holds; blanks behind it. */
static void fill(char *to, long length, const char *text)
{
    const long known = (long)strlen(text);
    memset(to, ' ', (size_t)length);
    memcpy(to, text, (size_t)(known < length ? known : length));
}

static struct tm now(void)
{
    const time_t seconds = time(NULL);
    return *gmtime(&seconds);
}

void date_(char *text, long length);
void time_(char *text, long length);
void idate_(int *month, int *day, int *year);

void date_(char *text, long length)
{
    char date[16];
    const struct tm today = now();
    strftime(date, sizeof date, "%d-%b-%y", &today);
    fill(text, length, date);
}

void time_(char *text, long length)
{
    char clock[16];
    const struct tm today = now();
    strftime(clock, sizeof clock, "%H:%M:%S", &today);
    fill(text, length, clock);
}

void idate_(int *month, int *day, int *year)
{
    const struct tm today = now();
    *month = today.tm_mon + 1;
    *day = today.tm_mday;
    *year = today.tm_year % 100;
}
