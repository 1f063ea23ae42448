import java.sql.*;
import java.util.*;

/** What DBeaver asks of a driver: metadata, then a query with its types. Each answer is a line. */
public class Metadata {
    static void print(String name, ResultSet rows, String... columns) throws SQLException {
        StringBuilder b = new StringBuilder(name);
        while (rows.next()) {
            b.append(" |");
            for (String c : columns) b.append(' ').append(rows.getString(c));
        }
        System.out.println(b);
        rows.close();
    }

    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        p.setProperty(args[1], args[2]);
        for (int i = 3; i < args.length; i += 2) p.setProperty(args[i], args[i + 1]);
        try (Connection c = DriverManager.getConnection(args[0], p)) {
            DatabaseMetaData m = c.getMetaData();
            System.out.println("product " + m.getDatabaseProductName());
            print("catalogs", m.getCatalogs(), "TABLE_CAT");
            print("schemas", m.getSchemas(), "TABLE_SCHEM");
            print("tables", m.getTables(null, null, "%", new String[] {"TABLE", "VIEW"}), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE");
            print("columns", m.getColumns(null, null, "addons", "%"), "COLUMN_NAME", "TYPE_NAME");
            print("keys", m.getPrimaryKeys(null, null, "addons"), "COLUMN_NAME");
            print("imported", m.getImportedKeys(null, null, "addons"), "FKCOLUMN_NAME");
            print("exported", m.getExportedKeys(null, null, "addons"), "FKCOLUMN_NAME");
            print("indexes", m.getIndexInfo(null, null, "addons", false, true), "INDEX_NAME");
            if (m.getDatabaseProductName().equals("PostgreSQL")) { // the other driver has none of these
                print("privileges", m.getTablePrivileges(null, null, "nothing"), "PRIVILEGE");
                print("functions", m.getFunctions(null, null, "%"), "FUNCTION_NAME");
                print("procedures", m.getProcedures(null, null, "%"), "PROCEDURE_NAME");
                print("types", m.getTypeInfo(), "TYPE_NAME");
            }
            try (Statement s = c.createStatement()) {
                s.setFetchSize(100);
                ResultSet r = s.executeQuery("SELECT count(*) AS n, 1.50 AS d, 0.5e0 AS f, 'x' AS s, true AS b, date '2018-03-01' AS day, "
                        + "timestamp '2018-03-01 04:05:06.789' AS t, ARRAY['a'] AS a FROM addons WHERE sample_id < '0'");
                r.next();
                StringBuilder b = new StringBuilder("row");
                for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) {
                    b.append(' ').append(r.getMetaData().getColumnLabel(i)).append(':').append(r.getObject(i).getClass().getSimpleName()).append('=').append(r.getString(i));
                }
                System.out.println(b);
            }
            try (PreparedStatement s = c.prepareStatement("SELECT x FROM UNNEST(sequence(1, 1000)) AS a(x) ORDER BY 1")) {
                long sum = 0;
                for (int run = 0; run < 7; run++) { // the driver asks for binary values from the fifth on
                    ResultSet r = s.executeQuery();
                    while (r.next()) sum += r.getLong(1);
                }
                System.out.println("sum " + sum + " " + s.getMetaData().getColumnTypeName(1));
            }
            try (Statement s = c.createStatement()) {
                s.executeQuery("SELECT * FROM no_such_table");
            } catch (SQLException e) {
                System.out.println("error " + e.getSQLState() + " " + e.getMessage().replace("\n", " "));
            }
        }
    }
}
