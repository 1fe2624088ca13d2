import { useState } from 'preact/hooks';
import { SearchFields } from '../../components/search/search-fields.tsx';
import { noSearch } from '../../components/search/search-texts.ts';
import { changeDraft, type Draft } from './draft.ts';

/** Options of the search for ads. Applying them checks the file again, because they change the cost. */
export function BatchOptions({ draft }: { readonly draft: Draft }) {
  const [texts, setTexts] = useState(draft.search);
  const isSet = Object.entries(draft.search).some(
    ([name, value]) => value !== noSearch[name as keyof typeof noSearch],
  );
  return (
    <details class="more-terms" open={isSet}>
      <summary>Options</summary>
      <form
        class="card mapping"
        onSubmit={(event) => {
          event.preventDefault();
          changeDraft({ search: texts });
        }}
      >
        <SearchFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
        <div class="actions">
          <button type="submit">Apply options</button>
        </div>
      </form>
    </details>
  );
}
