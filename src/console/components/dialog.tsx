import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Failure } from '../api/request-error.ts';
import { ErrorBanner } from './banner.tsx';

/** A question over the page, which is out of reach until it is answered. Escape closes it where it may be closed. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  /** Null: it cannot be closed without an answer. */
  readonly onClose: (() => void) | null;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks whether something is really to be done, and says what that means. */
export function Confirm({
  title,
  confirm,
  isDangerous = false,
  isRunning,
  failure,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** Label of the button: the action. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorBanner failure={failure} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Back
        </button>
        <button
          type="button"
          class={isDangerous ? 'primary danger' : 'primary'}
          disabled={isRunning}
          onClick={onConfirm}
        >
          {isRunning ? 'One moment …' : confirm}
        </button>
      </div>
    </Dialog>
  );
}
