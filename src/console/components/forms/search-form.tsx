import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../api/use-query.ts';
import { Field } from './field.tsx';

/** Filters of a page, with a search field first. Choices apply at once, the search text with Enter or the button. */
export function SearchForm({
  query,
  label,
  placeholder,
  children,
}: {
  readonly query: Query;
  /** Accessible label of the search. */
  readonly label: string;
  readonly placeholder: string;
  readonly children: ComponentChildren;
}) {
  const searched = query.get('q');
  const [text, setText] = useState(searched);
  // The back button changes the search, too.
  useEffect(() => setText(searched), [searched]);
  return (
    <form
      class="filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        query.set({ q: text.trim() });
      }}
    >
      <Field label="Search">
        <input
          type="search"
          maxLength={200}
          value={text}
          placeholder={placeholder}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <button type="submit">Search</button>
      {children}
    </form>
  );
}
