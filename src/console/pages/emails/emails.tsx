import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { CheckAddress } from './check-address.tsx';
import { DownloadEmails } from './download-emails.tsx';
import { emailColumns } from './email-columns.tsx';
import { EmailFilterForm } from './email-filter-form.tsx';
import { emailFilterNames, parseEmailFilter } from './email-filter.ts';
import { EmailTotals } from './email-totals.tsx';
import { VerdictDrawer } from './verdict-drawer.tsx';

type Verdict = Body<'EmailVerdict'>;

/** Page of e-mail verdicts: their totals, one line for each, and its details beside the page. */
export function Emails() {
  const query = useQuery();
  const [opened, setOpened] = useState<Verdict | null>(null);
  const filter = parseEmailFilter(query);
  const { status, ...others } = filter;
  const counts = useLoad(`email counts ${JSON.stringify(others)}`, (signal) =>
    read(api.GET('/v1/emails/counts', { params: { query: others }, signal })),
  );
  const pages = usePages<Verdict>(`emails ${JSON.stringify(filter)}`, async (after, signal, isLarge) => {
    const params = { ...filter, limit: isLarge ? 500 : 50, ...(after === undefined ? {} : { after }) };
    const { emails, next } = await read(api.GET('/v1/emails', { params: { query: params }, signal }));
    return { items: emails, next };
  });
  const total = counts.data?.total;
  const matching = status === undefined ? total : counts.data?.statuses[status];
  return (
    <Page
      title="E-mail"
      actions={
        <>
          {can('email:validate') && (
            <CheckAddress
              onChecked={() => {
                pages.reload();
                counts.reload();
              }}
            />
          )}
          <DownloadEmails filter={filter} />
        </>
      }
    >
      <div class="email-filters">
        <EmailTotals query={query} counts={counts.data} />
        <EmailFilterForm query={query} shown={pages.items} />
      </div>
      {pages.error === undefined && <ErrorBanner error={counts.error} onRetry={counts.reload} />}
      <PagedTable
        pages={pages}
        caption="Verdicts on addresses"
        view="emails"
        count={{ noun: ['verdict', 'verdicts'], total, matching }}
        empty={<Empty isFiltered={Object.keys(filter).length > 0} clearHref={query.hrefWith(noFilters)} />}
        columns={emailColumns(setOpened)}
        keyOf={({ email, checked_at: at, batch }) => `${email} ${at} ${batch}`}
      />
      {opened !== null && <VerdictDrawer verdict={opened} query={query} onClose={() => setOpened(null)} />}
    </Page>
  );
}

const noFilters = Object.fromEntries(emailFilterNames.map((name) => [name, '']));

function Empty({ isFiltered, clearHref }: { readonly isFiltered: boolean; readonly clearHref: string }) {
  if (isFiltered)
    return (
      <p>
        No addresses match the filters. <a href={clearHref}>Clear filters</a>
      </p>
    );
  return (
    <p>
      No addresses yet. <a href="/batches/new">Upload a file</a> with a column of e-mail addresses, or check
      one above.
    </p>
  );
}
