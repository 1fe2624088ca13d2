import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { RequestError } from '../api/request-error.ts';
import { ErrorBanner } from './banner.tsx';

/** Modal dialog. Escape closes it, unless `onClose` is null. At its end the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  isDrawer = false,
  children,
}: {
  readonly title: string;
  /** At the side of the page, with a button and a click beside it that close it, too. */
  readonly isDrawer?: boolean;
  /** Null: the user cannot dismiss the dialog. */
  readonly onClose: (() => void) | null;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next paint: keys that follow the one that opened the dialog go to it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const opener = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      // The dialog has left the page before, so that the browser cannot do this.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isDrawer ? 'drawer' : undefined}
      aria-labelledby={id}
      onClick={({ target }) => {
        if (isDrawer && target === dialog.current) onClose?.();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      {isDrawer ? (
        <div class="drawer-content">
          <div class="section-head">
            <h2 id={id}>{title}</h2>
            <button type="button" onClick={() => onClose?.()}>
              Close
            </button>
          </div>
          {children}
        </div>
      ) : (
        <>
          <h2 id={id}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  );
}

/** Confirmation of an action, with its consequences. */
export function Confirm({
  title,
  confirm,
  dismiss = 'Cancel',
  isDangerous = false,
  isRunning,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** Label of the button: the action. */
  readonly confirm: string;
  /** Label of the button that closes the dialog. Default `Cancel`. */
  readonly dismiss?: string;
  readonly isDangerous?: boolean;
  readonly isRunning: boolean;
  readonly error: RequestError | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorBanner error={error} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {dismiss}
        </button>
        <button
          type="button"
          class={isDangerous ? 'primary danger' : 'primary'}
          disabled={isRunning}
          onClick={onConfirm}
        >
          {isRunning ? 'Working …' : confirm}
        </button>
      </div>
    </Dialog>
  );
}
