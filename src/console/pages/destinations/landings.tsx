import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { usePages } from '../../api/use-pages.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import { landingColumns } from './landing-columns.tsx';
import { landingLabels } from './destination-labels.ts';

type Destination = Body<'Destination'>;
type Landing = Body<'Landing'>;

const states = Object.entries(landingLabels).map(([value, [, name]]) => ({ value, name }));

/** Landings of a destination, newest first, with buttons to land batches again. */
export function Landings({
  destination: { id, dead },
  onReload,
}: {
  readonly destination: Destination;
  /** Loads the destination again. */
  readonly onReload: () => void;
}) {
  const [state, setState] = useState('');
  const [isEarlier, setEarlier] = useState(false);
  const pages = usePages<Landing>(`${id} ${state}`, async (after, signal) => {
    const query = {
      ...(after === undefined ? {} : { after }),
      ...(state === '' ? {} : { state: state as Landing['state'] }),
    };
    const { landings, next } = await read(
      api.GET('/v1/destinations/{id}/landings', { params: { path: { id }, query }, signal }),
    );
    return { items: landings, next };
  });
  const reload = () => {
    onReload();
    pages.reload();
  };
  const replay = useAction(async (which: Body<'LandingReplayRequest'>) => {
    const { replayed } = await read(
      api.POST('/v1/destinations/{id}/replay', { params: { path: { id } }, body: which }),
    );
    toast(replayed === 0 ? 'There is nothing to land.' : `${formatCounted(replayed, 'landing')} started.`);
    setEarlier(false);
    reload();
  });
  return (
    <Section
      title="Landings"
      lead="One for each finished batch and shape, newest first."
      actions={
        <>
          <button type="button" onClick={reload}>
            Refresh
          </button>
          {dead > 0 && (
            <button type="button" disabled={replay.isRunning} onClick={() => replay.run({ dead: true })}>
              Land dead ones again
            </button>
          )}
          <button type="button" onClick={() => setEarlier(true)}>
            Land earlier batches …
          </button>
        </>
      }
    >
      <div class="filters">
        <ChoiceField label="State" all="All landings" value={state} choices={states} onChoose={setState} />
      </div>
      {!isEarlier && <ErrorBanner error={replay.error} />}
      <PagedTable
        pages={pages}
        caption="Landings of the destination, newest first"
        columns={columns((batch) => replay.run({ batch_id: batch }))}
        keyOf={({ content_key: key }) => key}
        empty={
          <p>
            {state === ''
              ? 'No landings yet. Batches that finish from now on land here. You can land earlier ones, too.'
              : 'No landings in this state. Choose another one.'}
          </p>
        }
      />
      {isEarlier && (
        <Earlier
          isRunning={replay.isRunning}
          error={replay.error}
          onConfirm={(since) => replay.run({ since })}
          onClose={() => setEarlier(false)}
        />
      )}
    </Section>
  );
}

function columns(land: (batch: string) => void): readonly Column<Landing>[] {
  return [
    {
      head: 'Batch',
      isHeading: true,
      cell: ({ batch }) => (
        <a href={`/batches/${batch}`}>
          <code>{batch}</code>
        </a>
      ),
    },
    ...landingColumns,
    {
      head: 'Actions',
      cell: ({ batch, state }) =>
        state !== 'pending' && (
          <button type="button" onClick={() => land(batch)}>
            Land again<span class="hidden"> {batch}</span>
          </button>
        ),
    },
  ];
}

const periods = [
  ['1d', 'The last day'],
  ['7d', 'The last 7 days'],
  ['30d', 'The last 30 days'],
  ['365d', 'The last year'],
] as const;

/** Dialog to land the batches of a period. */
function Earlier({
  onConfirm,
  ...dialog
}: Pick<Parameters<typeof Confirm>[0], 'isRunning' | 'error' | 'onClose'> & {
  readonly onConfirm: (since: string) => void;
}) {
  const [since, setSince] = useState('7d');
  return (
    <Confirm
      {...dialog}
      title="Land earlier batches?"
      confirm="Land batches"
      onConfirm={() => onConfirm(since)}
    >
      <p>All finished batches of the period that have not landed are written.</p>
      <Field label="Period">
        <select value={since} onChange={({ currentTarget }) => setSince(currentTarget.value)}>
          {periods.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </Field>
    </Confirm>
  );
}
