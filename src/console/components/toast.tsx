import { signal } from '@preact/signals';

const shownMs = 6000;
const toasts = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let count = 0;

/** Says something in passing, such as that a thing was done; it goes by itself. Screen readers tell it when they get to it. */
export function say(text: string): void {
  const id = (count += 1);
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((each) => each.id !== id);
  }, shownMs);
}

/** Region of the toasts. */
export function Notices() {
  return (
    <div class="said" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
