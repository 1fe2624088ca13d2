import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { companyLabel } from '../../components/company.tsx';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { Moment } from '../../components/values.tsx';
import { adTitle, differences, kindLabels, changeSummary, changeEvidence } from './change-labels.ts';
import type { Filter } from './filter.ts';
import { useChanges } from './use-changes.ts';

type Change = Body<'Change'>;

/** List of the filtered changes, each with its evidence. */
export function ChangeList({ filter }: { readonly filter: Filter }) {
  const pages = useChanges(filter);
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
