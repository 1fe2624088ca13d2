import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery } from '../../api/use-query.ts';
import { isEnded } from '../../components/batch-state.tsx';
import { Banner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { BatchTabs } from '../batch/batch-tabs.tsx';
import { CompanyCard } from './company-card.tsx';
import { RetryMapped } from './retry-mapped.tsx';

type Batch = Body<'Batch'>;
type Company = Body<'UnidentifiedCompany'>;

/** Page of the companies of a batch that no source has identified: map them, then look them up again. */
export function UnidentifiedPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  return <BatchCompanies key={id} id={id} />;
}

function BatchCompanies({ id }: { readonly id: string }) {
  const batch = useLoad(`batch ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Batch"
      title={batch.data?.name ?? 'Batch'}
      lead="Companies that no source has identified. Map them to their advertisers, then look them up again."
    >
      <BatchTabs id={id} />
      <WhenLoaded loaded={batch}>{(data) => <Companies batch={data} />}</WhenLoaded>
    </Page>
  );
}

/** A company with the columns of its file. */
interface Listed {
  readonly columns: readonly string[];
  readonly company: Company;
}

function Companies({ batch }: { readonly batch: Batch }) {
  const { id } = batch;
  const path = { id };
  const rows = useQuery().get('rows');
  const pages = usePages<Listed>(`unidentified ${id} ${rows}`, async (after, signal) => {
    const query = { ...(after === undefined ? {} : { after }), ...(rows === '' ? {} : { rows }) };
    const { columns, companies, next } = await read(
      api.GET('/v1/batches/{id}/unidentified', { params: { path, query }, signal }),
    );
    return { items: companies.map((company) => ({ columns, company })), next };
  });
  const counted = useLoad(`unidentified counts ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}/unidentified', { params: { path, query: { limit: 1 } }, signal })),
  );
  return (
    <>
      {!can('batches:write') && (
        <Banner>
          <p>Your role can read this list. Ask an administrator for the role member to map companies.</p>
        </Banner>
      )}
      {counted.data !== undefined && <RetryMapped batch={batch} list={counted.data} />}
      {rows !== '' && (
        <p>
          Companies of the selected rows. <a href={`/batches/${id}/unidentified`}>Show all</a>
        </p>
      )}
      <PagedList pages={pages} empty={<Empty batch={batch} />}>
        {(listed) => (
          <ul class="changes" aria-label="Companies not identified">
            {listed.map(({ company, columns }) => (
              <li key={`${company.company_domain} ${company.company_name}`} class="card">
                <CompanyCard company={company} columns={columns} onChanged={counted.reload} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function Empty({ batch: { id, state } }: { readonly batch: Batch }) {
  return (
    <>
      <p>
        {isEnded(state)
          ? 'Every company of this batch was identified.'
          : 'So far, every company of this batch was identified.'}
      </p>
      <a class="button" href={`/batches/${id}/results`}>
        Show results
      </a>
    </>
  );
}
