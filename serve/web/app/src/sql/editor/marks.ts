import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { statementAt, statements } from '../statements';

const line = Decoration.line({ class: 'cm-statement' });
const longest = 200_000; // characters; in longer texts only the cursor says what runs

/** A bar beside the statement that would run, where there are several. */
export const statementMark = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = statementLines(view);
    }
    update(u: ViewUpdate) {
      if (u.docChanged || u.selectionSet) {
        this.decorations = statementLines(u.view);
      }
    }
  },
  { decorations: p => p.decorations },
);

function statementLines(view: EditorView): DecorationSet {
  const { doc, selection } = view.state;
  if (doc.length > longest || !selection.main.empty) {
    return Decoration.none;
  }
  const text = doc.toString();
  const s = statements(text).length > 1 ? statementAt(text, selection.main.head) : undefined;
  if (!s) {
    return Decoration.none;
  }
  const marks = new RangeSetBuilder<Decoration>();
  for (let n = doc.lineAt(s.from).number; n <= doc.lineAt(s.to).number; n++) {
    const at = doc.line(n).from;
    marks.add(at, at, line);
  }
  return marks.finish();
}

const parameter = new MatchDecorator({
  regexp: /\{\{[^{}\n]{1,100}\}\}/g,
  decoration: Decoration.mark({ class: 'cm-parameter' }),
});

/** {{parameters}} look like something to fill in. */
export const parameterMark = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = parameter.createDeco(view);
    }
    update(u: ViewUpdate) {
      this.decorations = parameter.updateDeco(u, this.decorations);
    }
  },
  { decorations: p => p.decorations },
);
