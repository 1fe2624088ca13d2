import { signal } from '@preact/signals';

const shownMs = 6000;
const toasts = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let count = 0;

/** Shows a short message that disappears after some seconds. Screen readers read it politely. */
export function toast(text: string): void {
  const id = (count += 1);
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((each) => each.id !== id);
  }, shownMs);
}

/** Region of the toasts. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
