// Checks that each global class is defined in one file, and that modules have the classes that components use, and no others.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const src = new URL('../src/', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true }).map(f => join(src, f));
const read = f => readFileSync(f, 'utf8');
const faults = [];

// selectorsOf lists the selectors of a file, without those of :global().
const selectorsOf = css =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)]
    .flatMap(m => m[1].replace(/:global\([^)]*\)/g, '').split(','))
    .map(s => s.trim())
    .filter(s => !s.startsWith('@'));

// A selector of one element defines its first class; longer ones use classes in a context.
const defined = new Map();
for (const f of files.filter(f => f.endsWith('.css') && !f.endsWith('.module.css'))) {
  for (const s of selectorsOf(read(f))) {
    const name = /^\.([\w-]+)[^\s>+~]*$/.exec(s)?.[1];
    if (name && (defined.get(name) ?? f) !== f) {
      faults.push(`${f}: .${name} is defined in ${defined.get(name)}, too`);
    }
    if (name) {
      defined.set(name, f);
    }
  }
}

const used = new Map(files.filter(f => f.endsWith('.module.css')).map(f => [f, new Set()]));
for (const f of files.filter(f => f.endsWith('.tsx'))) {
  const text = read(f);
  for (const [, name, path] of text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
    const module = used.get(join(dirname(f), path));
    for (const [, key] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) {
      module.add(key);
    }
    if (text.includes(`${name}[`)) {
      module.add('[]'); // some names are computed
    }
  }
}
for (const [f, names] of used) {
  const classes = new Set(selectorsOf(read(f)).flatMap(s => [...s.matchAll(/\.([a-zA-Z]\w*)/g)].map(m => m[1])));
  for (const name of names) {
    if (name !== '[]' && !classes.has(name)) {
      faults.push(`${f}: .${name} is missing`);
    }
  }
  for (const name of classes) {
    if (!names.has(name) && !names.has('[]')) {
      faults.push(`${f}: .${name} is not used`);
    }
  }
}

process.stderr.write(faults.map(f => `${f.replaceAll(src, 'src/')}\n`).join(''));
process.exit(faults.length > 0 ? 1 : 0);
