import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { expect, test } from 'vitest';
import { addressOf, elements } from './Markdown';

// html writes elements as HTML, so that tests see every tag and attribute.
function html(of: ComponentChildren): string {
  if (Array.isArray(of)) {
    return of.map(html).join('');
  }
  if (!isValidElement(of)) {
    return of === null || of === undefined || typeof of === 'boolean'
      ? ''
      : String(of).replace(/[&<>]/g, c => `&#${c.charCodeAt(0)};`);
  }
  const { type, props } = of as VNode<Record<string, unknown>>;
  if (typeof type === 'function') {
    return html((type as (p: object) => ComponentChildren)(props));
  }
  const attributes = Object.entries(props).map(([name, v]) => (name === 'children' || v === undefined ? '' : ` ${name}="${v}"`));
  return `<${type}${attributes.join('')}>${html(props.children as ComponentChildren)}</${type}>`;
}

test.each([
  ['# Usage\n\nof *all* **channels**', '<h3>Usage</h3><p>of <em>all</em> <strong>channels</strong></p>'],
  ['a `code` &amp; b', '<p>a <code>code</code> &#38; b</p>'],
  ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
  ['[saved](/saved?tag=a)', '<p><a href="/saved?tag=a" rel="noreferrer">saved</a></p>'],
  ['https://example.org/', '<p><a href="https://example.org/" rel="noreferrer">https://example.org/</a></p>'],
  ['```\n<b>\n```', '<pre class="code">&#60;b&#62;</pre>'],
])('%j', (text, want) => expect(html(elements(text))).toBe(want));

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick="alert(1)">b</b>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x)',
  '![a](https://example.org/pixel.png)',
  '![a](javascript:alert(1))',
  '<style>*{background:url(https://example.org)}</style>',
  '[a]: javascript:alert(1)\n\n[a]',
  '<javascript:alert(1)>',
  '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
  '| a |\n|--|\n| <iframe src=//example.org> |',
  '- [x] <form action=https://example.org>',
];
const tags = new Set([
  'p',
  'a',
  'em',
  'strong',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'input',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'div',
]);

test.each(attacks)('%j neither runs nor loads anything', text => {
  const got = html(elements(text));
  for (const [, tag, rest] of got.matchAll(/<(\w+)([^>]*)>/g)) {
    expect(tags).toContain(tag);
    expect(rest).not.toMatch(/\bon\w+=|\bsrc=|\bstyle=/);
    const href = /href="([^"]*)"/.exec(rest ?? '')?.[1];
    expect(href ?? '/').toMatch(/^(https?:|mailto:|\/)/);
  }
});

test('addresses of links', () => {
  expect(addressOf('//example.org/a')).toBe('https://example.org/a');
  expect(addressOf('dashboards/1')).toBe('/dashboards/1');
  expect(addressOf('http://')).toBeUndefined();
  expect(addressOf(' javascript:alert(1)')).toBeUndefined();
});
