import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { companyRequest } from '../../components/company-request.ts';
import { roleNames } from '../mapping/role-names.ts';

type Company = Body<'UnidentifiedCompany'>;

/** Advertisers that a company is mapped to, each with a button that removes it; empty without any. */
export function MappedAdvertisers({
  company,
  mapping,
  onRemoved,
}: {
  readonly company: Company;
  readonly mapping: readonly Company['mapping'][number][];
  readonly onRemoved: (advertiserId: string) => void;
}) {
  const removing = useAction(async (id: string) => {
    const query = { ...companyRequest(company), advertiser_id: id };
    await read(api.DELETE('/v1/companies/mapping', { params: { query } }));
    onRemoved(id);
  });
  if (mapping.length === 0) return null;
  return (
    <>
      <ul class="candidates" aria-label="Mapped advertisers">
        {mapping.map(({ advertiser_id: id, role }) => (
          <li key={id}>
            <div>
              {nameOf(company, id)} · {roleNames[role]}
            </div>
            {can('batches:write') && (
              <button type="button" disabled={removing.isRunning} onClick={() => removing.run(id)}>
                Remove<span class="hidden"> {nameOf(company, id)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <ErrorBanner error={removing.error} />
    </>
  );
}

/** Name of a candidate, or the id of an advertiser that the list does not name. */
function nameOf({ candidates }: Company, id: string): string {
  return candidates.find((each) => each.advertiser_id === id)?.advertiser_name ?? id;
}
