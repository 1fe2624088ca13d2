import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { companyLabel } from '../../components/company.tsx';
import { browserTimeZone } from '../../components/dates/days.ts';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { Moment } from '../../components/values.tsx';
import { adTitle, differences, kindLabels, changeSummary, changeEvidence } from './change-labels.ts';
import { parseCompany, type Filter } from './filter.ts';

type Change = Body<'Change'>;

/** List of the filtered changes, each with its evidence. */
export function ChangeList({ filter }: { readonly filter: Filter }) {
  const pages = usePages<Change>(JSON.stringify(filter), async (after, signal) => {
    const query = { ...toQuery(filter), limit: 50, ...(after === undefined ? {} : { after }) };
    const { changes, next } = await read(api.GET('/v1/changes', { params: { query }, signal }));
    return { items: changes, next };
  });
  return (
    <PagedList pages={pages} empty={<p>No changes match these filters.</p>}>
      {(changes) => (
        <ul class="changes" aria-label="Changes">
          {changes.map((change) => (
            <li key={`${change.scan} ${change.ad_id} ${companyLabel(change)}`} class="card">
              <ChangeCard change={change} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function toQuery({ schedule, day, scan, kinds, company }: Filter) {
  return {
    ...(schedule === '' ? {} : { schedule }),
    ...(day === '' ? {} : { day, time_zone: browserTimeZone() }),
    ...(scan === '' ? {} : { scan }),
    ...(kinds.length === 0 ? {} : { kind: kinds.join(',') }),
    ...parseCompany(company),
  };
}

function ChangeCard({ change }: { readonly change: Change }) {
  const { name, tone } = kindLabels[change.kind];
  const title = adTitle(change.ad);
  const changed = differences(change);
  return (
    <article>
      <p>
        <Badge tone={tone}>{name}</Badge> <strong>{companyLabel(change)}</strong>
      </p>
      <h3>{change.ad_id === null ? title : <a href={`/ads/${change.ad_id}`}>{title}</a>}</h3>
      <p>{changeSummary(change)}</p>
      {changed.length > 0 && (
        <dl class="differences">
          {changed.map(({ name: what, before, after }) => (
            <>
              <dt>{what}</dt>
              <dd>
                <del>{before}</del> → <ins>{after}</ins>
              </dd>
            </>
          ))}
        </dl>
      )}
      <p class="quiet">{changeEvidence(change)}</p>
      <p class="quiet small">
        {change.schedule} · seen <Moment at={change.observed_at} />
      </p>
    </article>
  );
}
