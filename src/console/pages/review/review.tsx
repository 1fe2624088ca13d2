import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { Banner } from '../../components/banner.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { Page } from '../../components/page.tsx';
import { parseCompany } from '../changes/filter.ts';
import { CandidateCard } from './candidate-card.tsx';

type Candidate = Body<'AdvertiserCandidate'>;

/** Page of the advertisers that wait for a decision, of one company or batch or of all. */
export function Review() {
  const query = useQuery();
  const company = query.get('company');
  const batch = query.get('batch');
  const pages = usePages<Candidate>(JSON.stringify([company, batch]), async (after, signal) => {
    const params = {
      ...parseCompany(company),
      ...(batch === '' ? {} : { batch }),
      ...(after === undefined ? {} : { after }),
    };
    const { candidates, next } = await read(
      api.GET('/v1/companies/candidates', { params: { query: params }, signal }),
    );
    return { items: candidates, next };
  });
  return (
    <Page
      title="Review"
      lead="Advertisers that may belong to a company and may not. A search by name leaves their ads out until you decide."
    >
      <Filters query={query} company={company} batch={batch} />
      {!can('batches:write') && (
        <Banner>
          <p>Your role can read this list. Ask an administrator for the role member to decide.</p>
        </Banner>
      )}
      <PagedList pages={pages} empty={<Empty isFiltered={company !== '' || batch !== ''} />}>
        {(candidates) => (
          <ul class="changes" aria-label="Advertisers">
            {candidates.map((candidate) => (
              <li
                key={`${candidate.company_domain ?? candidate.company_name} ${candidate.advertiser_id}`}
                class="card"
              >
                <CandidateCard candidate={candidate} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <p class="quiet">
        A decision applies to later lookups. To look up a company again, search it or start a new batch.
      </p>
    </Page>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <p>No advertiser waits for a decision. Look up companies by name to find some.</p>;
  return (
    <>
      <p>No advertiser waits for a decision here.</p>
      <a class="button" href="/review">
        Show all
      </a>
    </>
  );
}

function Filters({
  query,
  company,
  batch,
}: {
  readonly query: Query;
  readonly company: string;
  readonly batch: string;
}) {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        query.set({ company: formText(event.currentTarget, 'company') });
      }}
    >
      <Field label="Company">
        <input
          key={company}
          name="company"
          type="search"
          placeholder="Domain or name"
          defaultValue={company}
        />
      </Field>
      <button type="submit">Apply</button>
      {batch !== '' && (
        <button type="button" onClick={() => query.set({ batch: '' })}>
          Show all batches
        </button>
      )}
    </form>
  );
}
