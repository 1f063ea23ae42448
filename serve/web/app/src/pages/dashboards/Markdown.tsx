import { Lexer, type Token, type Tokens } from 'marked';
import { type ComponentChildren, h } from 'preact';
import style from './markdown.module.css';

// Markdown shows a text as elements of the page. No HTML is parsed: marks of HTML stay text, pictures become links, and links have
// only addresses that open pages or mails. So a text can neither run scripts nor load anything.
export const Markdown = ({ text }: { text: string }) => <div class={style.text}>{elements(text)}</div>;

export const elements = (text: string): ComponentChildren => blocks(Lexer.lex(text, { gfm: true }));

const blocks = (tokens: readonly Token[] = []): ComponentChildren => tokens.map(block);

function block(t: Token, i: number): ComponentChildren {
  switch (t.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return h(`h${Math.min(t.depth + 2, 6)}`, { key: i }, spans(t.tokens)); // a widget has an h2
    case 'hr':
      return <hr key={i} />;
    case 'code':
      return (
        <pre key={i} class="code">
          {t.text}
        </pre>
      );
    case 'blockquote':
      return <blockquote key={i}>{blocks(t.tokens)}</blockquote>;
    case 'list':
      return h(t.ordered ? 'ol' : 'ul', { key: i, ...(t.start > 1 && { start: t.start }) }, t.items.map(item));
    case 'table':
      return <Rows key={i} of={t as Tokens.Table} />;
    case 'paragraph':
      return <p key={i}>{spans(t.tokens)}</p>;
    case 'html':
      return <p key={i}>{t.raw}</p>;
    default:
      return span(t, i);
  }
}

const item = (t: Tokens.ListItem, i: number) => (
  <li key={i} class={t.task ? style.task : undefined}>
    {blocks(t.tokens)}
  </li>
);

const Rows = ({ of }: { of: Tokens.Table }) => (
  <div class="table-box">
    <table class="table">
      <thead>
        <tr>
          {of.header.map((c, i) => (
            <th key={i} scope="col" class={c.align === 'right' ? 'num' : undefined}>
              {spans(c.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.rows.map((r, i) => (
          <tr key={i}>
            {r.map((c, j) => (
              <td key={j} class={c.align === 'right' ? 'num' : undefined}>
                {spans(c.tokens)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const spans = (tokens: readonly Token[] = []): ComponentChildren => tokens.map(span);

function span(t: Token, i: number): ComponentChildren {
  switch (t.type) {
    case 'strong':
      return <strong key={i}>{spans(t.tokens)}</strong>;
    case 'em':
      return <em key={i}>{spans(t.tokens)}</em>;
    case 'del':
      return <del key={i}>{spans(t.tokens)}</del>;
    case 'codespan':
      return <code key={i}>{t.text}</code>;
    case 'br':
      return <br key={i} />;
    case 'checkbox':
      return <input key={i} type="checkbox" checked={t.checked} disabled aria-label={t.checked ? 'done' : 'to do'} />;
    case 'link':
      return link(t.href, spans(t.tokens), i);
    case 'image':
      return link(t.href, t.text || t.href, i);
    case 'text':
      return t.tokens ? spans(t.tokens) : plain(t.text);
    case 'escape':
      return t.text;
    default:
      return t.raw;
  }
}

function link(href: string, inside: ComponentChildren, key: number): ComponentChildren {
  const to = addressOf(href);
  if (!to) {
    return inside;
  }
  return (
    <a key={key} href={to} rel="noreferrer">
      {inside}
    </a>
  );
}

const here = 'https://this.invalid';

// addressOf returns the address of a link if it opens a page or a mail; else undefined.
export function addressOf(href: string): string | undefined {
  try {
    const u = new URL(href, here);
    if (u.origin === here) {
      return u.pathname + u.search + u.hash;
    }
    return ['http:', 'https:', 'mailto:'].includes(u.protocol) ? u.href : undefined;
  } catch {
    return undefined;
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

// plain replaces the usual entities, which the lexer leaves as they are.
const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? '');
