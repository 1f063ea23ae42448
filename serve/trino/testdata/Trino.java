import java.math.BigDecimal;
import java.sql.*;
import java.util.*;

/** What tools ask of Trino's JDBC driver: metadata, prepared statements with parameters, cancelling. Each answer is a line. */
public class Trino {
    static void print(String name, ResultSet rows, String... columns) throws SQLException {
        StringBuilder b = new StringBuilder(name);
        while (rows.next()) {
            b.append(" |");
            for (String c : columns) b.append(' ').append(rows.getString(c));
        }
        System.out.println(b);
        rows.close();
    }

    static void values(String name, ResultSet rows) throws SQLException {
        StringBuilder b = new StringBuilder(name);
        ResultSetMetaData m = rows.getMetaData();
        rows.next();
        for (int i = 1; i <= m.getColumnCount(); i++) {
            Object v = rows.getObject(i);
            b.append(' ').append(m.getColumnLabel(i)).append(':').append(m.getColumnTypeName(i)).append(':')
                    .append(v == null ? "null" : v.getClass().getSimpleName()).append('=').append(rows.getString(i));
        }
        System.out.println(b);
    }

    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        for (int i = 1; i < args.length; i += 2) p.setProperty(args[i], args[i + 1]);
        try (Connection c = DriverManager.getConnection(args[0], p)) {
            DatabaseMetaData m = c.getMetaData();
            System.out.println("product " + m.getDatabaseProductName() + " " + m.getDatabaseProductVersion() + " " + m.getDatabaseMajorVersion());
            print("catalogs", m.getCatalogs(), "TABLE_CAT");
            print("schemas", m.getSchemas(), "TABLE_CATALOG", "TABLE_SCHEM");
            print("schemas of", m.getSchemas("hive", "def%"), "TABLE_SCHEM");
            print("kinds", m.getTableTypes(), "TABLE_TYPE");
            print("tables", m.getTables("hive", "default", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME", "TABLE_TYPE", "REMARKS");
            print("one", m.getTables("hive", "default", "clients\\_daily", null), "TABLE_NAME");
            print("columns", m.getColumns("hive", "default", "addons", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE", "NULLABLE");
            print("types", m.getTypeInfo(), "TYPE_NAME");
            print("procedures", m.getProcedures(null, null, "%"), "PROCEDURE_NAME");
            print("udts", m.getUDTs(null, null, "%", null), "TYPE_NAME");
            print("attributes", m.getAttributes(null, null, "%", "%"), "ATTR_NAME");
            print("pseudo", m.getPseudoColumns(null, null, "%", "%"), "COLUMN_NAME");
            print("super", m.getSuperTables(null, null, "%"), "TABLE_NAME");
            print("keys", m.getPrimaryKeys(null, null, "addons"), "COLUMN_NAME");
            print("imported", m.getImportedKeys(null, null, "addons"), "FKCOLUMN_NAME");
            try (Statement s = c.createStatement()) {
                values("row", s.executeQuery("SELECT count(*) AS n, 1.50 AS d, 0.5e0 AS f, 'x' AS s, true AS b, date '2018-03-01' AS day, "
                        + "timestamp '2018-03-01 04:05:06.789012' AS t, timestamp '2018-03-01 04:05:06 UTC' AS z, ARRAY['a'] AS a, "
                        + "MAP(ARRAY['k'], ARRAY[1]) AS m, X'00ff' AS x, CAST(NULL AS bigint) AS nothing, time '04:05:06' AS o, "
                        + "INTERVAL '3' DAY AS i, CAST(ROW(1) AS row(q integer)) AS r, REAL '0.1' AS e FROM addons WHERE sample_id < '0'"));
                s.execute("USE hive.information_schema");
                System.out.println("schema " + c.getSchema());
                System.out.println("set " + s.execute("SET SESSION query_max_run_time = '1h'"));
                values("session", s.executeQuery("SHOW SESSION"));
            }
            c.setSchema("default");
            try (PreparedStatement s = c.prepareStatement("SELECT ? AS text, ? AS whole, ? AS big, ? AS d, ? AS f, ? AS b, ? AS day, ? AS t, ? AS x, ? AS n")) {
                s.setString(1, "it's ? é");
                s.setInt(2, -5);
                s.setLong(3, 9007199254740993L);
                s.setBigDecimal(4, new BigDecimal("1.50"));
                s.setDouble(5, 0.5);
                s.setBoolean(6, true);
                s.setDate(7, java.sql.Date.valueOf("2018-03-01"));
                s.setTimestamp(8, Timestamp.valueOf("2018-03-01 04:05:06.789"));
                s.setBytes(9, new byte[] {0, (byte) 255});
                s.setNull(10, Types.VARCHAR);
                values("parameters", s.executeQuery());
                System.out.println("output " + s.getMetaData().getColumnCount() + " input " + s.getParameterMetaData().getParameterCount());
            }
            try (PreparedStatement s = c.prepareStatement("SELECT x FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10)) AS b(y) WHERE x > ? LIMIT 90000")) {
                s.setInt(1, 10);
                long n = 0;
                ResultSet r = s.executeQuery();
                while (r.next()) n++;
                System.out.println("large " + n);
            } catch (SQLException e) {
                System.out.println("large " + e.getMessage());
            }
            c.setAutoCommit(false);
            try (Statement s = c.createStatement()) {
                values("transaction", s.executeQuery("SELECT 1 AS x"));
            }
            c.commit();
            c.setAutoCommit(true);
            try (Statement s = c.createStatement()) {
                s.executeQuery("SELECT 1,\n  nothing FROM addons");
            } catch (SQLException e) {
                System.out.println("error " + e.getErrorCode() + " " + e.getMessage().replaceAll("\\(#[^)]*\\)", "").replace("\n", " "));
            }
            try (Statement s = c.createStatement()) {
                Thread t = new Thread(() -> {
                    try {
                        Thread.sleep(1500);
                        s.cancel();
                    } catch (Exception e) {
                        System.out.println("cannot cancel " + e);
                    }
                });
                t.start();
                s.executeQuery("SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y) "
                        + "CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5");
                System.out.println("not cancelled");
            } catch (SQLException e) {
                System.out.println("cancelled " + e.getClass().getSimpleName());
            }
            try (Statement s = c.createStatement()) {
                s.setQueryTimeout(2);
                s.executeQuery("SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y) "
                        + "CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5");
                System.out.println("not timed out");
            } catch (SQLException e) {
                System.out.println("timeout " + e.getMessage().replaceAll("\\(#[^)]*\\)", ""));
            }
        }
    }
}
