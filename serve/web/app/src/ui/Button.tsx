import type { IconNode } from 'lucide';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon } from './Icon';
import { Tooltip } from './Tooltip';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'size' | 'label'>;

interface Look {
  kind?: 'primary' | 'quiet' | 'danger';
  small?: boolean;
  icon?: IconNode;
}

const classes = (l: Look, more = '') =>
  ['button', l.kind && `button-${l.kind}`, l.small && 'button-small', more].filter(Boolean).join(' ');

// Button is busy while what it started runs: it shows so and cannot be pressed.
export function Button({
  kind,
  small,
  icon,
  busy,
  children,
  class: more,
  ...rest
}: Look & Native & { busy?: boolean; children?: ComponentChildren }) {
  return (
    <button
      type="button"
      {...rest}
      class={classes({ kind, small }, more as string)}
      disabled={busy || (rest.disabled as boolean)}
      aria-busy={busy || undefined}
    >
      {busy ? <i class="spinner" /> : icon && <Icon of={icon} size={small ? 14 : 16} />}
      {children}
    </button>
  );
}

// IconButton has a picture only; its label is read aloud and shown in a tip.
export function IconButton({
  label,
  icon,
  kind = 'quiet',
  small,
  class: more,
  ...rest
}: Look & Native & { label: string; icon: IconNode }) {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} class={classes({ kind, small }, `button-icon ${more ?? ''}`)} aria-label={label}>
        <Icon of={icon} size={small ? 14 : 16} />
      </button>
    </Tooltip>
  );
}

// LinkButton goes to another page; external ones and downloads have no Preact route.
export function LinkButton({
  href,
  kind,
  small,
  icon,
  download,
  children,
}: Look & { href: string; download?: boolean | string; children?: ComponentChildren }) {
  return (
    <a class={classes({ kind, small })} href={href} download={download} target={download === undefined ? undefined : '_self'}>
      {icon && <Icon of={icon} size={small ? 14 : 16} />}
      {children}
    </a>
  );
}
