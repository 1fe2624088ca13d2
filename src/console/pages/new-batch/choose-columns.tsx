import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { MappingFields, shorten } from '../../components/list-file/mapping-fields.tsx';
import { Section } from '../../components/page.tsx';
import { listLabel } from '../../components/list-file/list-label.ts';
import { Table } from '../../components/tables/table.tsx';
import { formatCounted } from '../../components/values.tsx';
import { columnKindLabels } from '../../../producer/columns/column-kind-labels.ts';
import { chooseMapping, fields, storeCheck, type Draft } from './draft.ts';
import { ColumnProposals } from './column-proposals.tsx';
import { ChooseSheet } from './choose-sheet.tsx';
import { HeaderBanner } from './header-banner.tsx';
import { checkBatch } from './submit.ts';
import { MappingBanner } from './mapping-banner.tsx';
import { ChooseOperations } from './choose-operations.tsx';
import { ReadingOptions } from './reading-options.tsx';
import type { Step } from './steps.tsx';
import { useReadAgain } from './use-read-again.ts';
import { mappingError } from './mapping-error.ts';

/** Second step: columns and operations. */
export function ChooseColumns({
  draft,
  onGo,
}: {
  readonly draft: Draft;
  readonly onGo: (step: Step) => void;
}) {
  const { file, columns, mapping, operations } = draft;
  const checking = useAction(async () => {
    if (storeCheck(draft, await checkBatch(draft, draft.search))) onGo('review');
  });
  const again = useReadAgain(draft);
  const isBusy = checking.isRunning || again.isRunning;
  const problem = mappingError(mapping, operations);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null && !again.isRunning) checking.run();
      }}
    >
      <p class="lead">
        {listLabel(file.name, columns)}, {formatCounted(columns.columns.length, 'column')}.
      </p>
      <ChooseSheet draft={draft} again={again} />
      <HeaderBanner draft={draft} again={again} />
      <MappingBanner draft={draft} />
      <ColumnProposals draft={draft} />
      <MappingFields
        fields={fields}
        columns={columns.columns}
        mapping={mapping}
        onChange={(field, column) => chooseMapping({ ...mapping, [field]: column })}
      />
      <ChooseOperations draft={draft} />
      {problem !== null && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <ErrorBanner error={checking.error} />
      <div class="actions">
        <button type="button" onClick={() => onGo('file')}>
          Back
        </button>
        <button type="submit" class="primary" disabled={isBusy || problem !== null}>
          {checking.isRunning ? 'Checking the file …' : 'Review cost'}
        </button>
      </div>
      <ColumnsPreview draft={draft} />
      <ReadingOptions draft={draft} again={again} />
    </form>
  );
}

/** Table of the file's columns with their use and first values. */
function ColumnsPreview({ draft }: { readonly draft: Draft }) {
  return (
    <Section title="Preview of your columns" lead="Values of the first rows. Unused columns are kept as is.">
      <Table
        caption="Columns of the file, with examples"
        columns={[
          { head: 'Column', isHeading: true, cell: ({ name }) => shorten(name, 60) },
          { head: 'Used as', cell: ({ name, looks_like }) => columnUse(draft, name, looks_like) },
          {
            head: 'Examples',
            cell: ({ examples }) =>
              examples.length === 0 ? (
                <span class="quiet">empty</span>
              ) : (
                examples.map((each) => shorten(each, 60)).join(' · ')
              ),
          },
        ]}
        rows={draft.columns.columns}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

function columnUse({ mapping }: Draft, column: string, looksLike: keyof typeof columnKindLabels) {
  const field = fields.find(({ name }) => mapping[name] === column);
  if (field !== undefined) return field.label;
  return <span class="quiet">Not used: {columnKindLabels[looksLike]}</span>;
}
