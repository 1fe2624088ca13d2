import { Tabs } from '../../components/tabs.tsx';

/** The pages of one list. */
export function BatchTabs({ id }: { readonly id: string }) {
  return (
    <Tabs
      label="List"
      tabs={[
        { path: `/batches/${id}`, name: 'Progress' },
        { path: `/batches/${id}/results`, name: 'Results' },
      ]}
    />
  );
}
