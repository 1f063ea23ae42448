import { plain, type Value } from './format';
import style from './RowsTable.module.css';

// RowsTable shows some rows of a result in a box that scrolls. For many rows there is Grid.
export const RowsTable = ({ label, columns, rows }: { label: string; columns: { name: string }[]; rows: Value[][] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  <div class={`table-box ${style.box}`} tabIndex={0} role="region" aria-label={label}>
    <table class="table">
      <thead>
        <tr>
          {columns.map(c => (
            <th key={c.name} scope="col">
              {c.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.slice(0, columns.length).map((v, j) => (
              <td key={columns[j]!.name}>
                {v === null ? <span class="muted">null</span> : <span class={style.cell}>{plain(v)}</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
