import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RequestError } from '../../api/request-error.ts';
import type { Action } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';

/** Form of an inbox or a destination, with a submit button. The field of an error gets the focus. */
export function ConnectionForm({
  action,
  rest,
  button,
  busy,
  children,
}: {
  readonly action: Action<[]>;
  /** Error of no field. */
  readonly rest: RequestError | undefined;
  /** Label of the button: the action. */
  readonly button: string;
  /** Label of the button while the action runs. */
  readonly busy: string;
  readonly children: ComponentChildren;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (action.error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [action.error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {children}
      <ErrorBanner error={rest} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          {action.isRunning ? busy : button}
        </button>
      </div>
    </form>
  );
}
