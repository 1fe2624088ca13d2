import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { columnKindLabels } from '../../../producer/columns/column-kind-labels.ts';
import { chooseMapping, fields, noteCheck, type Draft } from './draft.ts';
import { ColumnProposals } from './column-proposals.tsx';
import { HeaderNotice } from './header-banner.tsx';
import { checkList } from './submit.ts';
import { MappingNotice } from './mapping-banner.tsx';
import { ChooseOperations } from './choose-operations.tsx';
import { ReadingOptions } from './reading-options.tsx';
import type { Step } from './steps.tsx';
import { mappingError } from './mapping-error.ts';

/** The second step: which column holds what, and what is to be done with the rows. */
export function ChooseColumns({
  draft,
  onGo,
}: {
  readonly draft: Draft;
  readonly onGo: (step: Step) => void;
}) {
  const { file, columns, mapping, operations } = draft;
  const checking = useAction(async () => {
    if (noteCheck(draft, await checkList(draft, draft.source))) onGo('review');
  });
  const wrong = mappingError(mapping, operations);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) checking.run();
      }}
    >
      <p class="lead">
        {file.name}: {columns.columns.length} columns.
      </p>
      <HeaderNotice draft={draft} />
      <MappingNotice draft={draft} />
      <ColumnProposals draft={draft} />
      <div class="mapping">
        {fields.map(({ name, label }) => (
          <Field key={name} label={label}>
            <select
              value={mapping[name]}
              onChange={({ currentTarget }) => chooseMapping({ ...mapping, [name]: currentTarget.value })}
            >
              <option value="">No column</option>
              {columns.columns.map((column) => (
                <option key={column.name} value={column.name}>
                  {shortened(column.name, 40)}
                </option>
              ))}
            </select>
          </Field>
        ))}
      </div>
      <ChooseOperations draft={draft} />
      {wrong !== null && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <ErrorBanner failure={checking.failure} />
      <div class="actions">
        <button type="button" onClick={() => onGo('file')}>
          Back
        </button>
        <button type="submit" class="primary" disabled={checking.isRunning || wrong !== null}>
          {checking.isRunning ? 'Reading the whole list …' : 'See what will become of it'}
        </button>
      </div>
      <Section
        title="What stands in the columns"
        lead="From the first rows. Columns that are not used come back untouched."
      >
        <Table
          caption="The columns of the file, with examples"
          columns={[
            { head: 'Column', isHeading: true, cell: ({ name }) => shortened(name, 60) },
            { head: 'Taken for', cell: ({ name, looks_like }) => takenFor(draft, name, looks_like) },
            {
              head: 'Examples',
              cell: ({ examples }) =>
                examples.length === 0 ? (
                  <span class="quiet">empty</span>
                ) : (
                  examples.map((each) => shortened(each, 60)).join(' · ')
                ),
            },
          ]}
          rows={columns.columns}
          keyOf={({ name }) => name}
        />
      </Section>
      <ReadingOptions draft={draft} />
    </form>
  );
}

function takenFor({ mapping }: Draft, column: string, looksLike: keyof typeof columnKindLabels) {
  const field = fields.find(({ name }) => mapping[name] === column);
  if (field !== undefined) return field.label;
  return <span class="quiet">not used: {columnKindLabels[looksLike]}</span>;
}

function shortened(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}
