import { signal } from '@preact/signals';
import { X } from 'lucide';
import { IconButton } from './Button';

interface Note {
  id: number;
  text: string;
  bad: boolean;
}

const notes = signal<Note[]>([]);
let last = 0;

// toast says shortly that something was done, or what went wrong with what nobody waits for.
export function toast(text: string, o: { bad?: boolean } = {}): void {
  const id = ++last;
  notes.value = [...notes.value.slice(-3), { id, text, bad: o.bad ?? false }];
  setTimeout(() => close(id), o.bad ? 12_000 : 5000);
}

const close = (id: number) => {
  notes.value = notes.value.filter(n => n.id !== id);
};

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {notes.value.map(n => (
        <div key={n.id} class={`toast${n.bad ? ' toast-bad' : ''}`}>
          <span class="grow">{n.text}</span>
          <IconButton small label="Dismiss" icon={X} onClick={() => close(n.id)} />
        </div>
      ))}
    </div>
  );
}
