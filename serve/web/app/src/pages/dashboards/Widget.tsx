import { Download, Ellipsis, Image, Link, SquareTerminal, Table2 } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import type { Widget } from '../../api/dashboards';
import { resultUrl } from '../../api/queries';
import { fromApi } from '../../sql/parameters';
import { copyText, IconButton, Menu, type MenuItem, toast } from '../../ui';
import { Content } from './Content';
import { Frame } from './Frame';
import { pictureOf, saveBlob } from './picture';
import { type Seen, titleOf } from './useBoard';
import { picked } from './values';

// WidgetView shows a widget of a dashboard that is read. quiet leaves out its menu.
export function WidgetView({ widget, seen, quiet }: { widget: Widget; seen: Seen; quiet?: boolean }) {
  const [asTable, setAsTable] = useState(false);
  const box = useRef<HTMLElement>(null);
  const parameters = seen.dashboard.parameters ?? [];
  const item = seen.live.widgets.get(widget.id);
  const title = titleOf(widget, seen.queries);
  const items: MenuItem[] = [];
  if (widget.query && item?.result && widget.kind !== 'table') {
    items.push({
      label: asTable ? `Show as ${widget.kind}` : 'Show as table',
      icon: Table2,
      onSelect: () => setAsTable(!asTable),
    });
  }
  if (item?.result) {
    const link = `${location.origin}/query/${item.result}`;
    items.push(
      {
        label: 'Picture (PNG)',
        icon: Image,
        onSelect: () => void pictureOf(box.current!).then(b => saveBlob(b, `${title}.png`)),
      },
      { label: 'Rows (CSV)', icon: Download, href: resultUrl(item.result, 'csv'), download: true },
      {
        label: 'Copy the link',
        icon: Link,
        onSelect: () => void copyText(link).then(() => toast('Copied the link to this result')),
      },
    );
  }
  if (widget.query && !widget.refused) {
    items.push({ label: 'Open the query', icon: SquareTerminal, href: queryAddress(widget.query, item?.values) });
  }
  const saved = widget.query ? seen.queries.get(widget.query) : undefined;
  return (
    <Frame
      widget={widget}
      title={title}
      box={box}
      item={item}
      refresh={seen.dashboard.refresh}
      actions={
        !quiet &&
        items.length > 0 && (
          <Menu end items={items} button={p => <IconButton small label={`Menu of ${title}`} icon={Ellipsis} {...p} />} />
        )
      }
    >
      <Content
        widget={widget}
        item={item}
        saved={saved}
        as={asTable ? 'table' : undefined}
        retry={quiet ? undefined : seen.live.refresh}
        picks={
          quiet
            ? undefined
            : {
                names: parameters.map(p => p.name),
                take: pick => seen.setValues(picked(parameters, seen.values, pick)),
              }
        }
      />
    </Frame>
  );
}

// queryAddress returns the address of a widget's query with the values of the widget.
function queryAddress(id: string, values: Record<string, unknown> = {}): string {
  const q = new URLSearchParams(Object.entries(values).map(([name, v]) => [`p.${name}`, fromApi(v)]));
  return `/saved/${id}${q.size > 0 ? `?${q}` : ''}`;
}
