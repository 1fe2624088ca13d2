import { say } from './say.tsx';

/** Copies a text, and says so. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(`${what} copied.`),
      () => say(`The browser does not let us copy. Select the text and copy it by hand.`),
    );
  return (
    <button type="button" onClick={() => void copy()}>
      Copy <span class="hidden">{what}</span>
    </button>
  );
}
