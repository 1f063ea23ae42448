import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// All colours are the page's custom properties, so light and dark need no theme of their own.
const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: 'var(--text-m)' },
  '&.cm-focused': { outline: 'none' }, // the host has the ring, above the line numbers
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none', paddingRight: '0.25rem' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-statement': { boxShadow: 'inset 3px 0 0 var(--accent)' },
  '.cm-parameter': { borderRadius: '3px', backgroundColor: 'var(--amber-soft)', color: 'var(--amber)' },
  '.cm-parameter span': { color: 'inherit' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--selection) 55%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--red-soft)', outline: '1px solid var(--red)' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-l)',
    maxWidth: 'min(34rem, calc(100vw - 1.5rem))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-s)',
    maxHeight: '16rem',
    maxWidth: 'min(30rem, calc(100vw - 1.5rem))',
    minWidth: 'min(18rem, calc(100vw - 1.5rem))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '0.5rem',
    padding: '0.15rem 0.5rem',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionLabel': { flex: '1 0 auto' },
  '.cm-completionDetail': {
    margin: '0',
    fontStyle: 'normal',
    fontSize: 'var(--text-xs)',
    color: 'var(--ink-3)',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionIcon': {
    width: '1.1rem',
    padding: '0',
    opacity: '1',
    fontSize: '0.7rem',
    textAlign: 'center',
    color: 'var(--ink-3)',
  },
  'li[aria-selected] .cm-completionIcon': { color: 'inherit' },
  '.cm-completionIcon-table::after': { content: "'T'" },
  '.cm-completionIcon-column::after': { content: "'c'" },
  '.cm-completionIcon-function::after': { content: "'ƒ'" },
  '.cm-completionIcon-query::after': { content: "'W'" },
  '.cm-completionIcon-keyword::after': { content: "'·'" },
  '.cm-completionInfo, .cm-doc': {
    padding: '0.5rem 0.75rem',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-s)',
    lineHeight: '1.45',
  },
  '.cm-doc-name': { fontFamily: 'var(--mono)', fontWeight: '600', overflowWrap: 'anywhere' },
  '.cm-doc-type': { fontFamily: 'var(--mono)', fontSize: 'var(--text-xs)', color: 'var(--ink-3)', overflowWrap: 'anywhere' },
  '.cm-doc p': { margin: '0.35rem 0 0' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red) 1.5px',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-diagnostic': { padding: '0.4rem 0.7rem', fontFamily: 'var(--font)', fontSize: 'var(--text-s)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--red)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', border: 'none', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search': { padding: '0.35rem 1.75rem 0.35rem 0.5rem', fontSize: 'var(--text-s)' },
  '.cm-searchMatch': { backgroundColor: 'var(--amber-soft)', outline: '1px solid var(--amber)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selection)' },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--ink)',
  },
});

const syntax = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.standard(tags.name), tags.typeName], color: 'var(--code-function)' },
]);

export const theme = [look, syntaxHighlighting(syntax)];
