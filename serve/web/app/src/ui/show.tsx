import type { IconNode } from 'lucide';
import { Check as Checked, CircleAlert, Copy as CopyIcon, Inbox, Info, TriangleAlert } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, errorText } from '../api/errors';
import { Button, IconButton } from './Button';
import { absolute, relative } from './formats';
import { Icon } from './Icon';
import { toast } from './Toast';
import { Tooltip } from './Tooltip';

export type Tone = 'good' | 'warn' | 'bad' | 'accent';

export const Badge = ({ tone, icon, children }: { tone?: Tone; icon?: IconNode; children: ComponentChildren }) => (
  <span class={`badge${tone ? ` badge-${tone}` : ''}`}>
    {icon && <Icon of={icon} size={12} />}
    {children}
  </span>
);

export const Spinner = ({ label = 'Loading' }: { label?: string }) => (
  <span role="status">
    <i class="spinner" />
    <span class="sr-only">{label}</span>
  </span>
);

// Skeleton holds the place of what is being loaded.
export const Skeleton = ({ lines = 5 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <i key={i} />
    ))}
  </div>
);

// Empty says why there is nothing, and what to do about it.
export const Empty = ({
  icon = Inbox,
  title,
  children,
  action,
}: {
  icon?: IconNode;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) => (
  <div class="empty">
    <Icon of={icon} size={28} />
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);

const noteIcons: Record<Tone, IconNode> = { good: Checked, warn: TriangleAlert, bad: CircleAlert, accent: Info };

export const Note = ({
  tone,
  title,
  children,
  action,
}: {
  tone?: Tone;
  title?: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) => (
  <div class={`note${tone ? ` note-${tone}` : ''}`} role={tone === 'bad' ? 'alert' : undefined}>
    <Icon of={noteIcons[tone ?? 'accent']} />
    <div class="note-body">
      {title && <strong>{title}</strong>}
      {children}
    </div>
    {action}
  </div>
);

// ErrorBox states anything that was thrown; problems of the API with their hint.
export function ErrorBox({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) {
    return null;
  }
  const p = error instanceof ApiError ? error.problem : undefined;
  return (
    <Note
      tone="bad"
      action={
        retry && (
          <Button small onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {errorText(error)}
      {p?.hint && <div>{p.hint}</div>}
    </Note>
  );
}

// copyText puts text into the clipboard, also where pages without TLS have no clipboard API.
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text);
  }
  const area = document.body.appendChild(document.createElement('textarea'));
  area.value = text;
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function Copy({ text, label = 'Copy', children }: { text: string; label?: string; children?: ComponentChildren }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    copyText(text).then(
      () => {
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      },
      e => toast(`It could not be copied: ${errorText(e)}`, { bad: true }),
    );
  const icon = done ? Checked : CopyIcon;
  if (children) {
    return (
      <Button small icon={icon} onClick={copy}>
        {children}
      </Button>
    );
  }
  return <IconButton small label={done ? 'Copied' : label} icon={icon} onClick={copy} />;
}

// Time is how long ago something was; the time itself, in UTC, is in a tip.
export function Time({ at, full }: { at: string | Date; full?: boolean }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000);
    return () => clearInterval(timer);
  }, []);
  const t = new Date(at);
  if (Number.isNaN(t.getTime())) {
    return <span>{String(at)}</span>;
  }
  const whole = absolute(t);
  return full ? (
    <time dateTime={t.toISOString()}>{whole}</time>
  ) : (
    <Tooltip text={whole}>
      <time dateTime={t.toISOString()}>{relative(t, now)}</time>
    </Tooltip>
  );
}

export const PageHead = ({
  title,
  children,
  actions,
}: {
  title: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) => (
  <header class="page-head">
    <div class="page-head-text">
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </header>
);

export const Panel = ({
  title,
  actions,
  children,
  foot,
  flush,
}: {
  title?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  foot?: ComponentChildren;
  flush?: boolean;
}) => (
  <section class="panel">
    {(title || actions) && (
      <div class="panel-head">
        {title && <h2>{title}</h2>}
        {actions}
      </div>
    )}
    {flush ? children : <div class="panel-body stack">{children}</div>}
    {foot && <div class="panel-foot">{foot}</div>}
  </section>
);

export const Search = ({
  label,
  value,
  onValue,
  children,
}: {
  label: string;
  value: string;
  onValue: (v: string) => void;
  children?: ComponentChildren;
}) => (
  <div class="search">
    {children}
    <input
      class="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={e => onValue(e.currentTarget.value)}
    />
  </div>
);
