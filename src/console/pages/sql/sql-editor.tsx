import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { formatCounted } from '../../components/format.ts';
import type { KnownView } from './completion/complete.ts';
import type { ErrorPlace } from './error-place.ts';
import { SuggestionList, type CaretPlace } from './completion/suggestion-list.tsx';
import { useCompletion } from './completion/use-completion.ts';

const charsMax = 60_000;

/** Editor of a query, with suggestions of names and keywords. Ctrl+Enter runs the query. */
export function SqlEditor({
  area,
  text,
  onText,
  views,
  error,
}: {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly views: readonly KnownView[];
  /** Place of the error of the last run; null without one. */
  readonly error: ErrorPlace | null;
}) {
  const id = useId();
  const { completion, active, accept, close, onInput, onKeyDown } = useCompletion(views);
  const [scroll, setScroll] = useState({ scrollTop: 0, scrollLeft: 0 });
  const isOpen = completion !== null;
  return (
    <div class="field">
      <label for={id}>Query</label>
      <div class="editor">
        <textarea
          id={id}
          ref={area}
          class="code"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen ? `${id}-list-${active}` : undefined}
          aria-describedby={`${id}-hint`}
          aria-invalid={error === null ? undefined : true}
          required
          rows={10}
          maxLength={charsMax}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          placeholder="select company_key, ads_count from lookups order by ads_count desc"
          value={text}
          onInput={(event) => {
            onText(event.currentTarget.value);
            onInput(event, event.currentTarget);
          }}
          onKeyDown={(event) => {
            const { currentTarget } = event;
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              close();
              currentTarget.form?.requestSubmit();
            } else if (!onKeyDown(event, currentTarget)) return;
            event.preventDefault();
          }}
          onBlur={close}
          onClick={close}
          onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => setScroll({ scrollTop, scrollLeft })}
        />
        {completion !== null && (
          <SuggestionList
            id={`${id}-list`}
            completion={completion}
            active={active}
            place={{ ...placeOf(text, completion.from), ...scroll }}
            onChoose={(suggestion) => {
              if (area.current !== null) accept(suggestion, area.current);
            }}
          />
        )}
        <span class="hidden" role="status">
          {completion === null ? '' : formatCounted(completion.suggestions.length, 'suggestion')}
        </span>
      </div>
      <p class="hint" id={`${id}-hint`}>
        One statement that reads. Ctrl+Enter runs it, Ctrl+Space suggests names.
      </p>
      {error !== null && <ErrorButton error={error} area={area} />}
    </div>
  );
}

/** Place of an error: a button that selects the word there. */
function ErrorButton({
  error: { line, column, index, length },
  area,
}: {
  readonly error: ErrorPlace;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  return (
    <button
      type="button"
      class="plain"
      onClick={() => {
        area.current?.focus();
        area.current?.setSelectionRange(index, index + length);
      }}
    >
      Line {line}, column {column}
    </button>
  );
}

function placeOf(text: string, index: number): Pick<CaretPlace, 'line' | 'column'> {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}
