import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../api/use-query.ts';
import { Field } from './field.tsx';

/** The filters of a page, with a field for words first. What is chosen stands in the address at once, words with Enter or the button. */
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
  const [words, setWords] = useState(searched);
  // What is being searched for also changes by going back.
  useEffect(() => setWords(searched), [searched]);
  return (
    <form
      class="filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        query.set({ q: words.trim() });
      }}
    >
      <Field label="Search">
        <input
          type="search"
          maxLength={200}
          value={words}
          placeholder={placeholder}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </Field>
      <button type="submit">Search</button>
      {children}
    </form>
  );
}
