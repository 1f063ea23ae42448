import source from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  id: string;
  impact: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

// axe are the serious faults that axe-core finds in a page, one a line.
export async function axe(page: Page): Promise<string[]> {
  const loaded = await page.evaluate(() => 'axe' in window);
  if (!loaded) {
    await page.evaluate(source.source);
  }
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (where: Document, o: object) => Promise<{ violations: unknown[] }> } };
    return (
      await axe.run(document, {
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
      })
    ).violations;
  });
  return (found as Finding[])
    .filter(f => f.impact === 'serious' || f.impact === 'critical')
    .flatMap(f =>
      f.nodes.map(n => `${f.id} (${f.help}): ${n.html.slice(0, 160)} ${n.failureSummary.replace(/\s+/g, ' ').slice(0, 200)}`),
    );
}
