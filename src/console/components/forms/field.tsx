import { cloneElement, type VNode } from 'preact';
import { useId } from 'preact/hooks';

/** Form control with its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** One control: an input, a select or a textarea. */
  readonly children: VNode;
}) {
  const id = useId();
  const descriptions = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((each) => each !== '')
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(descriptions === '' ? {} : { 'aria-describedby': descriptions }),
        ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
