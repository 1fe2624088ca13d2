import { toast } from './toast.tsx';

/** Button that copies a text, and confirms it. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = async () => {
    try {
      // The clipboard exists only in secure contexts.
      await navigator.clipboard.writeText(text);
      toast(`${what} copied.`);
    } catch {
      toast('Your browser blocked copying. Select the text and copy it manually.');
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      Copy <span class="hidden">{what}</span>
    </button>
  );
}
