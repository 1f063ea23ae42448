// Places of the nodes of a small graph without cycles: each node is in the column behind the last of those that feed it.

export interface Node {
  name: string;
  kind: string;
  doc: string;
}

export interface Edge {
  from: string;
  to: string;
}

export interface Placed {
  nodes: (Node & { x: number; y: number })[];
  edges: (Edge & { path: string })[];
  width: number;
  height: number;
}

export const size = { width: 236, height: 38, gap: 64, line: 54, margin: 16 };

export function layout(nodes: readonly Node[], edges: readonly Edge[]): Placed {
  const depth = new Map<string, number>();
  for (const n of nodes) {
    const feeding = edges.filter(e => e.to === n.name).map(e => depth.get(e.from) ?? -1);
    depth.set(n.name, Math.max(-1, ...feeding) + 1);
  }
  const columns: Node[][] = [];
  for (const n of nodes) {
    const at = depth.get(n.name)!;
    columns[at] = [...(columns[at] ?? []), n];
  }
  const tallest = Math.max(1, ...columns.map(c => c.length));
  const placed = columns.flatMap((column, i) =>
    column.map((n, j) => ({
      ...n,
      x: size.margin + i * (size.width + size.gap),
      y: size.margin + (j + (tallest - column.length) / 2) * size.line,
    })),
  );
  const at = new Map(placed.map(n => [n.name, n]));
  return {
    nodes: placed,
    edges: edges.flatMap(e => {
      const [a, b] = [at.get(e.from), at.get(e.to)];
      return a && b ? [{ ...e, path: curve(a.x + size.width, a.y + size.height / 2, b.x, b.y + size.height / 2) }] : [];
    }),
    width: 2 * size.margin + columns.length * size.width + (columns.length - 1) * size.gap,
    height: 2 * size.margin + (tallest - 1) * size.line + size.height,
  };
}

const curve = (x1: number, y1: number, x2: number, y2: number) => {
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
};
