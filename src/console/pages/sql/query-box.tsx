import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestError } from '../../api/request-error.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import type { KnownView } from './completion/complete.ts';
import { CopyAs } from './copy-as-menu.tsx';
import { errorPlaceOf } from './error-place.ts';
import { ExampleMenu } from './example-menu.tsx';
import { replaceText } from './insert-text.ts';
import type { QueryRequest } from './query-request.ts';
import { SavedQueryMenu } from './saved-query-menu.tsx';
import { SqlEditor } from './sql-editor.tsx';

const limits = [100, 1000, 10_000];

/** Editor of a query with its menus: examples, saved queries, and commands for other programs. */
export function QueryBox({
  area,
  text,
  onText,
  views,
  isRunning,
  failed,
  onRun,
}: {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly views: readonly KnownView[];
  readonly isRunning: boolean;
  /** The last run, if it failed. */
  readonly failed: { readonly query: string; readonly error: RequestError } | null;
  readonly onRun: (request: QueryRequest) => void;
}) {
  const [limit, setLimit] = useState(100);
  // The place is right only in the text that ran.
  const error = failed !== null && failed.query === text ? errorPlaceOf(failed.error.message, text) : null;
  const replace = (query: string) => {
    if (area.current !== null) replaceText(area.current, query);
  };
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        onRun({ query: text, limit });
      }}
    >
      <SqlEditor area={area} text={text} onText={onText} views={views} error={error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          {isRunning ? 'Running …' : 'Run'}
        </button>
        <select
          aria-label="Row limit"
          value={String(limit)}
          onChange={({ currentTarget }) => setLimit(Number(currentTarget.value))}
        >
          {limits.map((each) => (
            <option key={each} value={String(each)} selected={each === limit}>
              {each} rows
            </option>
          ))}
        </select>
        <ExampleMenu onChoose={replace} />
        <SavedQueryMenu text={text} onChoose={replace} />
        <CopyAs request={{ query: text, limit }} />
      </div>
      <ErrorBanner error={failed?.error} />
    </form>
  );
}
