import java.time.*;
import java.time.format.*;
import java.util.*;

/** Prints odd date texts with what java.time reads in them. How to run: see README.md. */
public class Dates {
    static final Random random = new Random(1);

    /** Texts with each part replaced in turn, and with several at once. */
    static void vary(Set<String> all, String[][] parts, int mixed) {
        for (int i = 0; i < parts.length; i++) {
            for (String other : parts[i]) {
                StringBuilder s = new StringBuilder();
                for (int j = 0; j < parts.length; j++) s.append(j == i ? other : parts[j][0]);
                all.add(s.toString());
            }
        }
        for (int n = 0; n < mixed; n++) {
            StringBuilder s = new StringBuilder();
            for (String[] p : parts) s.append(p[random.nextInt(3) == 0 ? random.nextInt(p.length) : 0]);
            all.add(s.toString());
        }
    }

    static String http(String s) {
        try {
            return String.valueOf(ZonedDateTime.parse(s, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond());
        } catch (DateTimeException e) {
            return "-";
        }
    }

    static String iso(String s) {
        try {
            ZonedDateTime t = ZonedDateTime.parse(s, DateTimeFormatter.ISO_DATE_TIME);
            return t.toEpochSecond() + "." + String.format("%09d", t.getNano());
        } catch (DateTimeException e) {
            return "-";
        }
    }

    public static void main(String[] args) {
        Set<String> all = new LinkedHashSet<>();
        vary(all, new String[][] {
            {"Thu, ", "", "thu, ", "THU, ", "Fri, ", "Thu,", "Thu ", "Thursday, ", "Thu,  ", " Thu, ", "4, ", "+4, ", "004, ", "-4, ", "5, ", "8, "},
            {"1", "01", "001", "0000000001", "+1", "-1", "0", "31", "32", " 1", "1.0"},
            {" Mar", " mar", " MAR", " March", " 03", " Mrz", "  Mar", " Feb", "-Mar", " 3", " +3", " -3", " 003", " 000000003", " 0000000003", " 13", " 0"},
            {" 2018", " 18", " 0", " 02018", " 12018", " +12018", " +2018", " -2018", " 999999999", " 1000000000", " 9999", " 10000", "-2018"},
            {" 12", " 00", " 24", " 25", " 1", " 012", " +12", " -1", " 000000012", " 0000000012", "T12"},
            {":00", ":60", ":5", ":005", ":+5", ":59", "", ".00"},
            {":00", ":60", ":61", "", ":5", ":005", ":59", ":00.5", ":-1", ": 0"},
            {" GMT", " gmt", " UTC", " UT", " Z", " +0000", " -0000", " +01", " +1", " -01", " +0100", " +01:00", " +010203", " +01:02:03", " +1800", " +1801",
                " -1800", " +1900", " +0160", " +100", " 0100", "", " GMT ", " GMT+1", " +01GMT", " EST", " CEST", " +", " +01:0", " +01000", " +0100000", "+0100", "GMT"},
        }, 250);
        for (String s : new String[] {
            "1 Mar 2018 24:00:00 GMT", "1 Mar 2018 24:00 GMT", "1 Mar 2018 24:00:01 GMT", "1 Mar 2018 24:01:00 GMT", "Thu, 1 Mar 2018 24:00:00 GMT",
            "31 Feb 2018 00:00:00 GMT", "30 Feb 2016 00:00:00 GMT", "31 Apr 2018 00:00:00 GMT", "Mon, 30 Apr 2018 00:00:00 GMT", "Mon, 31 Apr 2018 00:00:00 GMT",
            "Sat, 1 Jan 12018 00:00:00 GMT", "1 Jan 999999999 00:00:00 GMT", "31 Dec 999999999 24:00:00 GMT", "1 Jan 0 00:00:00 GMT", "29 Feb 0 00:00:00 +1800",
            "1 Mar 2018 0:0:0 GMT", "1 Mar 2018 0:0 GMT", "ſun, 4 Mar 2018 00:00:00 GMT", "1 Mar 2018 12:00:00 \u22120100", "\u0661 Mar 2018 12:00:00 GMT",
            "Fr\u0131, 2 Mar 2018 12:00:00 GMT", "FR\u0130, 2 Mar 2018 12:00:00 GMT", "1 Au\u0261 2018 12:00:00 GMT", "31 Dec 999999999 23:59:59 -1800", "1 Jan 0 00:00:00 +1800",
        }) all.add(s);
        vary(all, new String[][] {
            {"2018", "02018", "12018", "+12018", "+2018", "-2018", "18", "0000", "-0001", "9999", "10000", "+10000", "+999999999", "+1000000000", "-999999999", "+02018", "+0012018", "1e3"},
            {"-03", "-3", "-003", "-00", "-13", "03", "-Mar", "/03", "-12"},
            {"-01", "-1", "-001", "-00", "-31", "-32", "01", "-060"},
            {"T", "t", " ", "", "TT", "T "},
            {"12", "00", "24", "25", "1", "012", "-1"},
            {":00", ":60", ":5", ":59", "", ":005"},
            {":00", ":60", "", ":5", ":59", ":00.", ":00.5", ":00.5 ", ":00,5", ":00.000000001", ":00.123456789", ":00.1234567890", ":59.999999999", ":00.-1", ".5"},
            {"Z", "z", "+00:00", "-00:00", "+01", "+1", "-01", "+0100", "+01:00", "+1:00", "+01:0", "+010203", "+01:02:03", "-01:02:03", "+01:02:60", "+18:00", "+18:00:00", "+18:00:01", "+18:01",
                "+19:00", "-18:00", "+01:60", "+00:00:01", "+99", "", " Z", "Z ", "UTC", "GMT", "+01:00:00.5", "+01:0203", "+0102:03", "01:00", "+", "+01:", "+01:02:", "+100", "+10000", "+01:00:0", "+010"},
            {"", "[Europe/Paris]", "[europe/paris]", "[UTC]", "[GMT]", "[UT]", "[Z]", "[z]", "[+01:00]", "[-01]", "[+1]", "[UTC+01:00]", "[UTC+1]", "[GMT-02:00]", "[UT+03]", "[UTC+25]", "[UTC+]", "[EST]", "[CET]", "[CEST]",
                "[Etc/GMT+3]", "[Etc/Nowhere]", "[]", "[Europe/Paris", "Europe/Paris", "[ Europe/Paris]", "[Europe/Paris ]", "[Europe/Paris]x", "[Europe/Paris][UTC]", "[America/Argentina/Buenos_Aires]",
                "[GMT0]", "[Etc/UTC]", "[US/Pacific]", "[SystemV/PST8]", "[EST5EDT]", "[UTC0]", "[GMT+0]", "[GMT-0]", "[UTC+01:02:03]", "[+01:02:03]", "[+18:01]", "[utc]", "[Factory]", "[ROC]"},
        }, 300);
        for (String s : new String[] {
            "2018-03-01T24:00:00Z", "2018-03-01T24:00Z", "2018-03-01T24:00:00.0Z", "2018-03-01T24:00:01Z", "2018-02-29T00:00:00Z", "2016-02-29T00:00:00Z", "2018-04-31T00:00:00Z",
            "+12018-03-01T00:00:00Z", "12018-03-01T00:00:00Z", "-0001-03-01T00:00:00Z", "+999999999-12-31T23:59:59Z", "-999999999-01-01T00:00:00Z", "-999999999-01-01T00:00:00+18:00",
            "+999999999-12-31T23:59:59-18:00", "2018-07-01T00:00:00+02:00[Europe/Paris]", "2018-07-01T00:00:00+01:00[Europe/Paris]", "2018-03-25T02:30:00+01:00[Europe/Paris]",
            "-0000-03-01T00:00:00Z", "+00000-03-01T00:00:00Z", "-00001-03-01T00:00:00Z", "-10000-03-01T00:00:00Z", "2018-03-01", "2018-03-01Z", "2018-03-01T00Z", "2018-W09-4T00:00:00Z", "2018-060T00:00:00Z", "20180301T000000Z", "2018-03-01T00:00:00", "2018-03-01T00:00:00[Europe/Paris]",
            "2018-03-01T00:00+01", "2018-03-01T00:00:00-01[Europe/Paris]", "2018-03-01T00:00:00.5+01:00[Europe/Paris]", "2018-03-01T00:00:00+01:", "+02018-03-01T00:00:00+01", "",
        }) all.add(s);
        for (String s : all) System.out.println(s + "\t" + http(s) + "\t" + iso(s));
    }
}
