import type { ComponentChildren } from 'preact';
import type { RequestError } from '../api/request-error.ts';
import { ErrorBanner } from './banner.tsx';
import { Dialog } from './dialog.tsx';

/** Dialog with a form, its error, and buttons that close it or submit the form. */
export function FormDialog({
  title,
  submit,
  dismiss = 'Cancel',
  isRunning,
  error,
  onInput,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  /** Label of the button that submits: the action. */
  readonly submit: string;
  /** Label of the button that closes the dialog. Default `Cancel`. */
  readonly dismiss?: string;
  readonly isRunning: boolean;
  readonly error: RequestError | undefined;
  /** Called after each change of a field. */
  readonly onInput?: () => void;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onInput={onInput}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event.currentTarget);
        }}
      >
        {children}
        <ErrorBanner error={error} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            {dismiss}
          </button>
          <button type="submit" class="primary" disabled={isRunning}>
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
