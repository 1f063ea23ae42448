import type { ComponentChildren, PartialInputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

export interface Described {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  hideLabel?: boolean; // it is read aloud only
}

type Control = { id: string; class: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

// Field gives a control its label, hint and error: <Field label="Name">{p => <input {...p} />}</Field>.
export function Field({
  label,
  hint,
  error,
  hideLabel,
  children,
}: Described & { children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      {children({ id, class: 'input', 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <div class="field-error" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}

type Value = { value: string; onValue: (value: string) => void };

export function TextField({
  label,
  hint,
  error,
  hideLabel,
  value,
  onValue,
  ...rest
}: Described &
  Value & { type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date' | 'datetime-local' } & Omit<
    PartialInputHTMLAttributes<HTMLInputElement>,
    'value' | 'label' | 'role' | 'type'
  >) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {p => <input type="text" {...(rest as object)} {...p} value={value} onInput={e => onValue(e.currentTarget.value)} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  value,
  onValue,
  ...rest
}: Described & Value & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'label'>) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {p => <textarea rows={3} {...rest} {...p} value={value} onInput={e => onValue(e.currentTarget.value)} />}
    </Field>
  );
}

export type Choice<T extends string = string> = T | { value: T; label: string };

export function Select<T extends string>({
  label,
  hint,
  error,
  hideLabel,
  value,
  onValue,
  choices,
  disabled,
}: Described & { value: T; onValue: (value: T) => void; choices: readonly Choice<T>[]; disabled?: boolean }) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {p => (
        <select {...p} value={value} disabled={disabled} onChange={e => onValue(e.currentTarget.value as T)}>
          {choices.map(c => {
            const o = typeof c === 'string' ? { value: c, label: c } : c;
            return (
              <option key={o.value} value={o.value} selected={o.value === value}>
                {o.label}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

export function Check({
  label,
  hint,
  checked,
  onChecked,
  disabled,
}: {
  label: ComponentChildren;
  hint?: string;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={e => onChecked(e.currentTarget.checked)} />
      <span>
        {label}
        {hint && <div class="field-hint">{hint}</div>}
      </span>
    </label>
  );
}
