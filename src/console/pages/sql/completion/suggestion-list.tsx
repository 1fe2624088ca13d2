import { useEffect, useRef } from 'preact/hooks';
import type { Completion, Suggestion } from './complete.ts';

/** Position of the caret in the editor. */
export interface CaretPlace {
  /** From 0, in lines and characters. */
  readonly line: number;
  readonly column: number;
  /** Scroll position of the editor, in pixels. */
  readonly scrollTop: number;
  readonly scrollLeft: number;
}

/** List of suggestions under the caret of the editor. */
export function SuggestionList({
  id,
  completion,
  active,
  place: { line, column, scrollTop, scrollLeft },
  onChoose,
}: {
  readonly id: string;
  readonly completion: Completion;
  readonly active: number;
  readonly place: CaretPlace;
  readonly onChoose: (suggestion: Suggestion) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, completion]);
  return (
    <ul
      ref={list}
      class="suggestions"
      role="listbox"
      id={id}
      aria-label="Suggestions"
      tabIndex={0}
      // The editor keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      style={{
        '--line': String(line),
        '--column': String(column),
        '--top': `${scrollTop}px`,
        '--left': `${scrollLeft}px`,
      }}
    >
      {completion.suggestions.map((suggestion, i) => (
        <li
          key={suggestion.text}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          onClick={() => onChoose(suggestion)}
        >
          <span>{suggestion.text}</span>{' '}
          <span class="quiet">{suggestion.detail === '' ? suggestion.kind : suggestion.detail}</span>
        </li>
      ))}
    </ul>
  );
}
