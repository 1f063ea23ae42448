import type { ComponentChildren } from 'preact';
import { Copy } from '../../ui';
import style from './start.module.css';

// Command is text to be copied: a command, or lines of a file.
export const Command = ({ label, text, children }: { label: string; text: string; children?: ComponentChildren }) => (
  <div class={style.command}>
    <div class={style.commandHead}>
      <span>{children ?? label}</span>
      <Copy text={text} label={`Copy: ${label}`} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  </div>
);
