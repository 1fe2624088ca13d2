import { useState } from 'preact/hooks';
import { complete, type Completion, type KnownView, type Suggestion } from './complete.ts';
import { insertText } from '../insert-text.ts';

/** Suggestions at the caret of an editor, and their keys. */
export interface EditorCompletion {
  /** Null while no list is open. */
  readonly completion: Completion | null;
  /** Index of the suggestion that Enter and Tab accept. */
  readonly active: number;
  readonly onInput: (event: Event, area: HTMLTextAreaElement) => void;
  /** Handles the keys of the list. Returns true for a key that the list used. */
  readonly onKeyDown: (event: KeyboardEvent, area: HTMLTextAreaElement) => boolean;
  readonly accept: (suggestion: Suggestion, area: HTMLTextAreaElement) => void;
  readonly close: () => void;
}

/** Keys that move the caret away from the suggestions. */
const leavingKeys: readonly string[] = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

/** Suggests names while the user types, or after Ctrl+Space. */
export function useCompletion(views: readonly KnownView[]): EditorCompletion {
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [active, setActive] = useState(0);
  const open = (area: HTMLTextAreaElement, isForced: boolean) => {
    setCompletion(complete(area.value, area.selectionStart, views, isForced));
    setActive(0);
  };
  const close = () => setCompletion(null);
  const accept = ({ text }: Suggestion, area: HTMLTextAreaElement) => {
    if (completion === null) return;
    close();
    insertText(area, text, completion.from, completion.to);
  };
  return {
    completion,
    active,
    accept,
    close,
    onInput: (event, area) => {
      // Not for pasted, inserted or removed text.
      if (isTyped(event)) open(area, false);
      else close();
    },
    onKeyDown: (event, area) => {
      if (event.key === ' ' && event.ctrlKey) {
        open(area, true);
        return true;
      }
      if (completion === null || event.isComposing) return false;
      const count = completion.suggestions.length;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (isModified || leavingKeys.includes(event.key)) {
        if (event.key !== 'Shift') close();
        return false;
      }
      if (step !== undefined) setActive((active + step + count) % count);
      else if (event.key === 'Enter' || event.key === 'Tab')
        accept(completion.suggestions[active] ?? completion.suggestions[0], area);
      else if (event.key === 'Escape') close();
      else return false;
      return true;
    },
  };
}

/** True when one character was typed or deleted. */
function isTyped(event: Event): boolean {
  if (!(event instanceof InputEvent)) return false;
  if (event.inputType === 'deleteContentBackward') return true;
  return event.inputType === 'insertText' && event.data?.length === 1 && event.data.trim() !== '';
}
