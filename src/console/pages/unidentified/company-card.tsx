import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { companyRequest } from '../../components/company-request.ts';
import { companyLabel } from '../../components/company.tsx';
import { CandidateRow } from './candidate-row.tsx';
import { EnterAdvertiser } from './enter-advertiser.tsx';
import { MappedAdvertisers } from './mapped-advertisers.tsx';

type Company = Body<'UnidentifiedCompany'>;
type Entry = Company['mapping'][number];

/** A company with its row, its candidates, and the ways to map it. What was mapped stays, so that it can be removed. */
export function CompanyCard({
  company,
  columns,
  onChanged,
}: {
  readonly company: Company;
  /** Columns of the file. */
  readonly columns: readonly string[];
  /** Called after each change of the mapping. */
  readonly onChanged: () => void;
}) {
  const { mapping, isDismissed, left, add, remove, deciding, dismissing } = useDecisions(company, onChanged);
  const hasNone = left.length === 0 && mapping.length === 0;
  const label = companyLabel(company);
  const isRunning = deciding.isRunning || dismissing.isRunning;
  return (
    <article>
      <p>
        <State mapping={mapping} isDismissed={isDismissed} />
      </p>
      <h3>{label}</h3>
      <RowData row={company.row} columns={columns} />
      <MappedAdvertisers company={company} mapping={mapping} onRemoved={remove} />
      {left.length > 0 && (
        <ul class="candidates" aria-label={`Candidates for ${label}`}>
          {left.map((candidate) => (
            <li key={candidate.advertiser_id}>
              <CandidateRow
                candidate={candidate}
                isRunning={isRunning}
                onDecide={(id, role) => deciding.run([id], role)}
              />
            </li>
          ))}
        </ul>
      )}
      {hasNone && <p class="quiet">No lookup and no local data set names an advertiser for this company.</p>}
      {can('batches:write') && (
        <div class="mapping-choices">
          <EnterAdvertiser company={company} onMapped={add} />
          {left.length > 0 && (
            <button
              type="button"
              class="danger"
              disabled={isRunning}
              onClick={() =>
                deciding.run(
                  left.map(({ advertiser_id: id }) => id),
                  'deny',
                )
              }
            >
              None of these<span class="hidden"> is {label}</span>
            </button>
          )}
          {hasNone && (
            <button type="button" disabled={isRunning} onClick={dismissing.run}>
              {isDismissed ? 'Undo' : 'Dismiss'}
              <span class="hidden"> {label}</span>
            </button>
          )}
        </div>
      )}
      <ErrorBanner error={deciding.error ?? dismissing.error} />
    </article>
  );
}

/** Decisions of a person about the advertisers of a company. */
function useDecisions(company: Company, onChanged: () => void) {
  const [mapping, setMapping] = useState<readonly Entry[]>(company.mapping);
  const [isDismissed, setDismissed] = useState(company.dismissed);
  const subject = companyRequest(company);
  function add({ advertiser_id: id, role }: Entry): void {
    setDismissed(false);
    setMapping((all) => [...all.filter((each) => each.advertiser_id !== id), { advertiser_id: id, role }]);
    onChanged();
  }
  function remove(id: string): void {
    setMapping((all) => all.filter((each) => each.advertiser_id !== id));
    onChanged();
  }
  /** Decides about candidates, one after the other. */
  const deciding = useAction(async (ids: readonly string[], role: Entry['role']) => {
    for (const id of ids)
      add(await read(api.POST('/v1/companies/decisions', { body: { ...subject, advertiser_id: id, role } })));
  });
  const dismissing = useAction(async () => {
    const { dismissed } = await read(
      api.POST('/v1/companies/dismissals', { body: { ...subject, dismissed: !isDismissed } }),
    );
    setDismissed(dismissed);
    onChanged();
  });
  const left = company.candidates.filter(
    (each) => !mapping.some(({ advertiser_id: id }) => id === each.advertiser_id),
  );
  return { mapping, isDismissed, left, add, remove, deciding, dismissing };
}

function State({
  mapping,
  isDismissed,
}: {
  readonly mapping: readonly Entry[];
  readonly isDismissed: boolean;
}) {
  if (mapping.some(({ role }) => role !== 'deny')) return <Badge tone="good">Mapped</Badge>;
  if (mapping.length > 0) return <Badge tone="bad">Denied</Badge>;
  if (isDismissed) return <Badge tone="plain">Dismissed</Badge>;
  return <Badge tone="warm">Not identified</Badge>;
}

/** The cells of a row that are not empty, each with its column. */
function RowData({ row, columns }: { readonly row: Company['row']; readonly columns: readonly string[] }) {
  if (row === null) return null;
  const cells = row.cells
    .map((cell, i) => ({ column: columns[i] ?? `extra ${i - columns.length + 1}`, cell: cell.trim() }))
    .filter(({ cell }) => cell !== '');
  return (
    <p class="quiet small">
      Line {row.line}
      {cells.map(({ column, cell }, i) => (
        <span key={i}>{` · ${column}: ${cell}`}</span>
      ))}
    </p>
  );
}
