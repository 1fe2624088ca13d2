import { toast } from './toast.tsx';

/** Copies a text, and confirms it. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    // The clipboard exists only in secure contexts.
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast('Your browser blocked copying. Select the text and copy it manually.');
  }
}

/** Button that copies a text, and confirms it. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <button type="button" onClick={() => void copyText(text, what)}>
      Copy <span class="hidden">{what}</span>
    </button>
  );
}
