import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery } from '../../api/use-query.ts';
import { Banner } from '../../components/banner.tsx';
import { companyLabel } from '../../components/company.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { AddMapping } from './add-mapping.tsx';
import { RemoveMappings } from './remove-mappings.tsx';
import { roleNames, roles } from './role-names.ts';

type Entry = Body<'MappedAdvertiser'>;
/** Filter by role; empty: any. */
type RoleChoice = Entry['role'] | '';

/** Page of the account's mapping of companies to advertisers: search it, add entries, change and remove them. */
export function Mapping() {
  const query = useQuery();
  const q = query.get('q');
  const role: RoleChoice = roles.find((each) => each === query.get('role')) ?? '';
  const [isAdding, setAdding] = useState(false);
  const [total, setTotal] = useState<number | undefined>(undefined);
  const pages = usePages<Entry>(`mapping ${JSON.stringify([q, role])}`, async (after, signal, isLarge) => {
    const params = {
      limit: isLarge ? 1000 : 100,
      ...(q === '' ? {} : { q }),
      ...(role === '' ? {} : { role }),
      ...(after === undefined ? {} : { after }),
    };
    const list = await read(api.GET('/v1/companies/mapping', { params: { query: params }, signal }));
    setTotal(list.total);
    return { items: list.entries, next: list.next };
  });
  const isMember = can('batches:write');
  const add = isMember && (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add mapping
    </button>
  );
  return (
    <Page
      title="Company mapping"
      lead="Advertisers that belong to a company, advertise for it, or are another business. The mapping precedes every other rule, from the next lookup on."
      actions={add}
    >
      {!isMember && (
        <Banner>
          <p>Your role can read the mapping. Ask an administrator for the role member to change it.</p>
        </Banner>
      )}
      <SearchForm query={query} label="Mapping" placeholder="Company, advertiser id or note">
        <SelectField
          label="Role"
          values={roleChoices}
          nameOf={(each) => (each === '' ? 'All' : roleNames[each])}
          value={role}
          onSelect={(each) => query.set({ role: each })}
        />
      </SearchForm>
      <PagedTable
        pages={pages}
        caption="Mapping of companies to advertisers"
        columns={columns}
        keyOf={keyOf}
        view="mapping"
        count={{ noun: ['entry', 'entries'], matching: total }}
        empty={<Empty isFiltered={q !== '' || role !== ''} />}
        actions={(entries, clear) =>
          isMember && (
            <RemoveMappings
              entries={entries}
              onRemoved={() => {
                clear();
                pages.reload();
              }}
            />
          )
        }
      />
      {isAdding && (
        <AddMapping
          onAdded={() => {
            setAdding(false);
            pages.reload();
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

const roleChoices: readonly RoleChoice[] = ['', ...roles];

function keyOf({ company_domain: domain, company_name: name, advertiser_id: id }: Entry): string {
  return JSON.stringify([domain, name, id]);
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <p>
        No company is mapped yet. Map one here, on the page “Not identified” of a batch, or by a decision
        under “Review”.
      </p>
    );
  return (
    <>
      <p>No entry matches.</p>
      <a class="button" href="/mapping">
        Show all
      </a>
    </>
  );
}

const columns: readonly Column<Entry>[] = [
  { head: 'Company', isHeading: true, cell: companyLabel, value: companyLabel },
  {
    head: 'Advertiser',
    value: ({ advertiser_id: id }) => id,
    cell: ({ advertiser_id: id, url }) =>
      url === null ? <code>{id}</code> : <OutsideLink href={url}>{id}</OutsideLink>,
  },
  { head: 'Role', value: ({ role }) => roleNames[role], cell: ({ role }) => roleNames[role] },
  { head: 'Note', value: ({ note }) => note, cell: ({ note }) => note ?? '–' },
  {
    head: 'Checked',
    kind: 'day',
    value: ({ checked_at: at }) => at,
    cell: ({ checked_at: at }) => <Moment at={at} />,
  },
];
