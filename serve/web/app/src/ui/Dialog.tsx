import { X } from 'lucide';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, IconButton } from './Button';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  foot?: ComponentChildren;
  wide?: boolean;
  drawer?: boolean;
}

// Dialog is shown for as long as it is rendered. Escape and a press beside it close it; the focus goes back to where it was.
export function Dialog({ title, onClose, children, foot, wide, drawer }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog?.querySelector('.dialog-head')?.contains(document.activeElement)) {
      dialog.focus(); // the browser chose Close, whose tooltip would open
    }
    return () => before instanceof HTMLElement && before.isConnected && before.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={ref}
      tabIndex={-1}
      class={`dialog${wide ? ' dialog-wide' : ''}${drawer ? ' dialog-drawer' : ''}`}
      aria-labelledby={id}
      onCancel={e => {
        e.preventDefault();
        onClose();
      }}
      onClick={e => e.target === ref.current && onClose()}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton label="Close" icon={X} onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

// ask has a person confirm something: if (await ask({ title: 'Delete the token?', action: 'Delete', danger: true })) …
export function ask(o: { title: string; text?: ComponentChildren; action: string; danger?: boolean }): Promise<boolean> {
  return new Promise(resolve => {
    const host = document.body.appendChild(document.createElement('div'));
    const end = (yes: boolean) => {
      render(null, host);
      host.remove();
      resolve(yes);
    };
    render(
      <Dialog
        title={o.title}
        onClose={() => end(false)}
        foot={
          <>
            <Button onClick={() => end(false)}>Cancel</Button>
            <Button kind={o.danger ? 'danger' : 'primary'} onClick={() => end(true)}>
              {o.action}
            </Button>
          </>
        }
      >
        {o.text}
      </Dialog>,
      host,
    );
  });
}
