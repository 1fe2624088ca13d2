import { say } from './toast.tsx';

/** Copies a text, and says so. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = async () => {
    try {
      // There is no clipboard at an address that is not secure.
      await navigator.clipboard.writeText(text);
      say(`${what} copied.`);
    } catch {
      say('The browser does not let us copy. Select the text and copy it by hand.');
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      Copy <span class="hidden">{what}</span>
    </button>
  );
}
