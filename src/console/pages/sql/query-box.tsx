import { useRef, useState } from 'preact/hooks';
import { Field } from '../../components/forms/field.tsx';

/** Query with its row limit. */
export interface QueryRequest {
  readonly query: string;
  readonly limit: number;
}

const limits = [100, 1000, 10_000];
const charsMax = 60_000;

/** Editor of a query; Ctrl+Enter runs it. */
export function QueryBox({
  text,
  onText,
  isRunning,
  onRun,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isRunning: boolean;
  readonly onRun: (request: QueryRequest) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [limit, setLimit] = useState(100);
  return (
    <form
      ref={form}
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        onRun({ query: text, limit });
      }}
    >
      <Field label="Query" hint="One statement. Ctrl+Enter runs it.">
        <textarea
          class="code"
          required
          rows={6}
          maxLength={charsMax}
          spellcheck={false}
          autocomplete="off"
          placeholder="select company_key, ads_count from lookups order by ads_count desc"
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
          }}
        />
      </Field>
      <div class="filters">
        <Field label="Row limit">
          <select
            value={String(limit)}
            onChange={({ currentTarget }) => setLimit(Number(currentTarget.value))}
          >
            {limits.map((each) => (
              <option key={each} value={String(each)} selected={each === limit}>
                {each}
              </option>
            ))}
          </select>
        </Field>
        <button type="submit" class="primary" disabled={isRunning}>
          {isRunning ? 'Running …' : 'Run'}
        </button>
      </div>
    </form>
  );
}
