import { ChevronRight, Search as SearchIcon, Table2 } from 'lucide';
import { useMemo, useState } from 'preact/hooks';
import type { Table } from '../../sql/complete';
import { Empty, Icon, LinkButton, Search } from '../../ui';
import style from './query.module.css';

const mostColumns = 400;

// Schema lists tables and their columns; a press writes a name into the editor.
export function Schema({ tables, onName }: { tables: Table[]; onName: (name: string) => void }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const found = useMemo(() => filter(tables, text), [tables, text]);
  const toggle = (name: string) =>
    setOpen(o => {
      const next = new Set(o);
      next.delete(name) || next.add(name);
      return next;
    });
  return (
    <div class={style.schema}>
      <Search label="Find tables and columns" value={text} onValue={setText}>
        <Icon of={SearchIcon} />
      </Search>
      <ul class={style.schemaList} aria-label="Tables">
        {found.map(({ table, columns }) => {
          const shown = open.has(table.name) || (text !== '' && columns.length < table.columns.length);
          return (
            <li key={table.name}>
              <div class={style.schemaTable}>
                <button
                  type="button"
                  class={style.schemaToggle}
                  aria-expanded={shown}
                  aria-label={`Columns of ${table.name}`}
                  onClick={() => toggle(table.name)}
                >
                  <Icon of={ChevronRight} size={14} />
                </button>
                <button type="button" class={style.schemaName} title={table.doc} onClick={() => onName(table.name)}>
                  <Icon of={Table2} size={14} />
                  <span class="cut">{table.name}</span>
                </button>
              </div>
              {shown && (
                <ul aria-label={`Columns of ${table.name}`}>
                  {columns.slice(0, mostColumns).map(c => (
                    <li key={c.name}>
                      <button type="button" class={style.schemaColumn} title={c.doc} onClick={() => onName(written(c.name))}>
                        <span class="cut">{c.name}</span>
                        <span class={`${style.schemaType} cut`}>{c.type}</span>
                      </button>
                    </li>
                  ))}
                  <li>
                    <LinkButton small kind="quiet" href={`/catalog/${table.name}`}>
                      About this table
                    </LinkButton>
                  </li>
                </ul>
              )}
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <Empty icon={SearchIcon} title={tables.length > 0 ? 'Nothing is called so' : 'No tables'} />}
    </div>
  );
}

const written = (name: string): string => (/^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

// filter keeps tables whose name has the text, with all columns, and columns that do.
export function filter(tables: Table[], text: string): { table: Table; columns: Table['columns'] }[] {
  const wanted = text.trim().toLowerCase();
  return tables.flatMap(table => {
    if (wanted === '' || table.name.toLowerCase().includes(wanted)) {
      return [{ table, columns: table.columns }];
    }
    const columns = table.columns.filter(c => c.name.toLowerCase().includes(wanted));
    return columns.length > 0 ? [{ table, columns }] : [];
  });
}
